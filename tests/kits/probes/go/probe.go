// Prints what the kit's types hold of each message; see tests/kits/probing.py.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

var words []string

func add(values ...any) {
	for _, value := range values {
		word := strings.ReplaceAll(word(value), " ", "_")
		if word == "" {
			word = "-"
		}
		words = append(words, word)
	}
}

func word(value any) string {
	switch value := value.(type) {
	case bool:
		return map[bool]string{true: "1", false: "0"}[value]
	case *int:
		if value == nil {
			return "none"
		}
		return fmt.Sprint(*value)
	case []string:
		return joined(value, ",")
	case []int:
		return joined(value, ",")
	case [][]string:
		return rows(value)
	case [][]int:
		return rows(value)
	case []Marker:
		return each(value, func(mark Marker) string { return fmt.Sprintf("%s:%d", mark.Tile, mark.Coins) })
	case []Offer:
		return each(value, func(o Offer) string { return fmt.Sprintf("%s:%d:%d", o.Tile, o.Seat, o.Coins) })
	case Goods:
		return joined([]int{value.Wood, value.Stone, value.Food, value.Coin, value.Pop, value.Lux}, "/")
	case map[string]int:
		return mapped(value)
	case map[string]string:
		return mapped(value)
	}
	return fmt.Sprint(value)
}

func each[T any](items []T, told func(T) string) string {
	var words []string
	for _, item := range items {
		words = append(words, told(item))
	}
	return strings.Join(words, ",")
}

func joined[T any](items []T, between string) string {
	var words []string
	for _, item := range items {
		words = append(words, fmt.Sprint(item))
	}
	return strings.Join(words, between)
}

func rows[T any](rows [][]T) string {
	return each(rows, func(row []T) string { return joined(row, ":") })
}

func mapped[T any](items map[string]T) string {
	return each(keys(items), func(key string) string { return fmt.Sprintf("%s=%v", key, items[key]) })
}

func keys[T any](items map[string]T) (keys []string) {
	for key := range items {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func said(m Move) string {
	fields := []string{
		"type=" + m.Type, "tile=" + m.Tile, fmt.Sprint("coins=", m.Coins), "resource=" + m.Resource,
		fmt.Sprint("inhabitants=", m.Inhabitants), "give=" + m.Give, fmt.Sprint("given=", m.Given), "get=" + m.Get,
		fmt.Sprint("got=", m.Got), fmt.Sprint("goats=", m.Goats), "chit=" + m.Chit, "kind=" + m.Kind, "way=" + m.Way,
		fmt.Sprint("mercenaries=", m.Mercenaries), "deck=" + m.Deck, fmt.Sprint("seat=", m.Seat),
	}
	var filled []string
	for _, field := range fields {
		if !strings.HasSuffix(field, "=") && !strings.HasSuffix(field, "=0") {
			filled = append(filled, field)
		}
	}
	return strings.Join(filled, ";")
}

func addTile(t Tile) {
	add(t.ID, t.Kind, t.Points, t.Stack, t.Name, t.Min, t.Cost, t.Once, t.Income, t.Any, t.Counters)
	add(t.Protects, t.Abilities, t.Supply, t.Terrain, t.Set)
}

func addSeat(s Seat) {
	add(s.Civilization, s.Mat, s.Goods, s.Lands, s.Buildings, s.Marks, s.Bidding, s.Taken, s.Chosen, s.ExtraIncome)
	add(s.Income, s.Any, s.Abilities, s.Protects)
}

func addNewGame(g *NewGame) {
	o, pieces := g.Options, g.Catalogue
	add("newgame", g.Game, g.Seat, g.Seats, o.Players, o.Modules, o.Level, o.Rounds, o.TilesPerRound, o.Components)
	add(g.Clock.BankMS, g.Clock.IncrementMS, g.Clock.MoveMS, g.Random)
	for _, key := range keys(pieces.Mats) {
		m := pieces.Mats[key]
		add(m.ID, m.Storage, m.Income, m.CoinsPerPoint, m.PointsPerInhabitant, m.Abilities, m.Note, m.Set)
	}
	for _, key := range keys(pieces.Civilizations) {
		c := pieces.Civilizations[key]
		add(c.ID, c.Order, c.Start, c.Income, c.Any, c.Protects, c.Abilities, c.Set)
	}
	for _, key := range keys(pieces.Tiles) {
		addTile(pieces.Tiles[key])
	}
	add(pieces.Abilities)
	for _, key := range keys(pieces.Chits) {
		add(key, pieces.Chits[key])
	}
}

func addDecide(d *Decide) {
	add("decide", d.ID, d.Kind, d.BankMS)
	for _, move := range d.Legal {
		add(said(move))
	}
	a := d.About
	add(a.Coins, a.Tile, a.Kind, a.Hungry, a.Done, a.Resource, a.Most, a.Deck, a.By, len(d.Events))
	if len(d.State.Seats) == 0 {
		add("none")
		return
	}
	addState(d.State)
	for _, tile := range d.Tiles {
		addTile(tile)
	}
}

func addState(s State) {
	add(s.You, s.Round, s.Rounds, s.Order)
	for _, seat := range s.Seats {
		addSeat(seat)
	}
	add(s.Open, s.Conquest, s.Offers, s.Box)
	for _, key := range keys(s.Stacks) {
		add(key, s.Stacks[key])
	}
	add(s.Chits, s.Chit, s.Pile, s.PileBottom)
}

func addGameOver(over *GameOver) {
	add("gameover", over.Ranks)
	if over.Result == nil {
		add("none")
		return
	}
	for _, s := range over.Result.Seats {
		add(s.Score, s.Prestige, s.Population, s.Luxury, s.Rank)
	}
	add(over.Result.Level, over.Result.Target, over.Result.Passed)
}

// The kit answers by index only; a bot that answers with a move has fields for it.
func addOwn(text []byte) {
	var hello BotHello
	var answer struct {
		Answer
		Index *int `json:"index"`
		Move  *Move
	}
	check(json.Unmarshal(text, &hello))
	check(json.Unmarshal(text, &answer))
	add(hello.Type)
	switch hello.Type {
	case "hello":
		add(hello.Name, hello.Version, hello.Wants)
	case "answer":
		chosen := "none"
		if answer.Move != nil {
			chosen = said(*answer.Move)
		}
		add(answer.ID, answer.Index, chosen, answer.Note)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words = nil
		kind, text, _ := strings.Cut(lines.Text(), "\t")
		if kind == "seat" {
			var seat Seat
			check(json.Unmarshal([]byte(text), &seat))
			addSeat(seat)
		} else if kind == "from" {
			addOwn([]byte(text))
		} else {
			switch message := Read([]byte(text)).(type) {
			case *Hello:
				add("hello", message.Protocol, message.Referee)
			case *NewGame:
				addNewGame(message)
			case *Decide:
				addDecide(message)
			case *GameOver:
				addGameOver(message)
			case *Quit:
				add("quit")
			}
		}
		fmt.Println(strings.Join(words, " "))
	}
	check(lines.Err())
}
