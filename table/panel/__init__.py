"""The panel at the table: a light and two buttons at each seat, one table button, a buzzer."""
