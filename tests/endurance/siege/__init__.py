"""A siege of the whole appliance: everything that people, disks and files do to a table, at random, for an hour.

`python3 -m tests.endurance.siege` runs it and prints one table of attempts and survivals; `--short` is its short form.
"""
