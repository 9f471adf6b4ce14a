"""The pages, rendered on the server, so that they are read without scripts, too. Each gets facts and gives markup."""
