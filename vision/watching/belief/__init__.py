"""What is believed to lie on the table, by the evidence of many looks."""
