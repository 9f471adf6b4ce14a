"""The narration of a game for people: what happened, the position, the choices and their consequences.

Knows the rules and nothing else: no terminal, no page, no bot. Returns Structs and plain text, not yet made harmless
for a terminal or for HTML, so that the terminal and the web describe a game in the same words.

`event_lines`: events as lines · `position`: the table · `choices`: a decision as numbered lines · `consequences`: what
a move does · `piece_texts`: tiles and modules' parts in words · `game_result`: the result · `supply_forecast`: the next
supply rounds.
"""
