// @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
// Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
// the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
// numbers, then the functions, then the idea.
package main

import (
	"encoding/json"
	"os"
)

// One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts.
var worth = Goods{Wood: 3, Stone: 3, Food: 5, Coin: 5, Pop: 20, Lux: 3}
var point, anyGood = 10, 3 // a point of prestige; an income of "any" good

// Moves that are liked without a further look: keep what you have, leave alone what you do not know.
var plain = map[string]int{"pay": 1, "keep": 1, "complete": 1, "skip": 1, "refuse": 1, "strengthen": 2}

func main() {
	lines, replies, game := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout), new(NewGame)
	for line := (json.RawMessage{}); lines.Decode(&line) == nil; {
		switch message := Read(line).(type) {
		case *Hello:
			replies.Encode(BotHello{Type: "hello", Name: "@NAME@"})
		case *NewGame:
			game = message
			replies.Encode(Ready{Type: "ready"})
		case *Decide:
			replies.Encode(Answer{Type: "answer", ID: message.ID, Index: choose(message, game)})
		} // after "quit" there is nothing more to read
	}
}

// The place of the best move in Legal.
func choose(decide *Decide, game *NewGame) (best int) {
	for index, move := range decide.Legal {
		if liking(move, decide, game) > liking(decide.Legal[best], decide, game) {
			best = index
		}
	}
	return best
}

// How much I like a move. About tells what the question is about: here the coins of a bid that was outbid.
func liking(move Move, decide *Decide, game *NewGame) int {
	switch move.Type {
	case "bid", "take_aid", "move_bid", "buy_sea": // all but a bid are without coins
		return value(move.Tile, decide, game) - worth.Coin*move.Coins
	case "pass": // passing brings 3 coins
		return 3 * worth.Coin
	case "withdraw": // the bid comes back, and a coin with it
		return worth.Coin * (decide.About.Coins + 1)
	case "feed":
		return move.Inhabitants
	case "hire":
		return move.Mercenaries + 1
	case "take_any", "extra_income": // what I have least of
		return -decide.Me().Goods.Of(move.Resource)
	}
	return plain[move.Type]
}

// What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost.
func value(name string, decide *Decide, game *NewGame) int {
	tile := game.Catalogue.Tiles[name]
	if !fits(tile, decide.Me(), game) {
		return 0
	}
	income := (decide.State.Rounds - decide.State.Round + 1) * (worth.Times(tile.Income) + anyGood*tile.Any)
	return point*tile.Points + worth.Times(tile.Once) + income - 2*worth.Times(tile.Cost)
}

// Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food.
func fits(tile Tile, me Seat, game *NewGame) bool {
	if tile.Kind != "land" || len(me.Lands) == 0 || me.Has("free_placement") {
		return true
	}
	last, next := game.Catalogue.Tiles[me.Lands[len(me.Lands)-1]].Income, tile.Income
	return last.Wood > 0 && next.Wood > 0 || last.Stone > 0 && next.Stone > 0 || last.Food > 0 && next.Food > 0
}
