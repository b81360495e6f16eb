"""The store: one database for runs and their games, tables of the server and shared records, with its migrations."""
