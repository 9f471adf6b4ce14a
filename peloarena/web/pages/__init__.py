"""The pages, rendered on the server, so that they can be read without scripts. Each turns facts into markup."""
