"""The game told to people: what happened, how the table stands, what can be chosen and what follows from it.

Knows the rules and nothing else: no terminal, no page, no bot. What comes out are Structs and plain text, not yet made
harmless for a terminal or for HTML, so that the terminal and the web tell one game in the same words.

`account`: events as lines · `position`: the table · `choices`: a decision as numbered lines · `consequences`: what a
move does · `pieces`: tiles and modules' parts in words · `ending`: the result.
"""
