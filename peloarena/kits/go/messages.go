package main

// What is said both ways, as types; spec/PROTOCOL.md explains each field. What a message leaves out is zero here, and
// fields that are not here are ignored. To encoding/json upper and lower case are one, so only snake_case needs tags.

import (
	"encoding/json"
	"log"
)

// Read makes a *Hello, *NewGame, *Decide, *GameOver or *Quit of a line; nil of what a later version says. A line that
// cannot be read ends the bot: nobody could answer it.
func Read(line []byte) any {
	var head struct{ Type string }
	err := json.Unmarshal(line, &head)
	known := map[string]any{
		"hello": new(Hello), "newgame": new(NewGame), "decide": new(Decide), "gameover": new(GameOver), "quit": new(Quit),
	}
	message := known[head.Type]
	if err == nil && message != nil {
		err = json.Unmarshal(line, message)
	}
	if err != nil {
		log.Fatal(err)
	}
	return message
}

// Hello is the first message.
type Hello struct {
	Protocol int
	Referee  string
}

// NewGame begins a game.
type NewGame struct {
	Game      string
	Seat      int
	Seats     []string
	Options   Options
	Clock     Clock
	Random    int64
	Catalogue Catalogue
}

// Options says what is played.
type Options struct {
	Players       int
	Modules       []string
	Level, Rounds int
	TilesPerRound int `json:"tiles_per_round"`
	Components    string
}

// Clock is the game clock.
type Clock struct {
	BankMS      int  `json:"bank_ms"`
	IncrementMS int  `json:"increment_ms"`
	MoveMS      *int `json:"move_ms"`
}

// Decide is a question: one of Legal is to be chosen.
type Decide struct {
	ID     int
	Kind   string
	Legal  []Move
	BankMS int `json:"bank_ms"`
	About  About
	State  State
	Tiles  []Tile
	Events []json.RawMessage
}

// Move has the fields that its Type needs.
type Move struct {
	Type, Tile  string
	Coins       int
	Resource    string
	Inhabitants int
	Give        string
	Given       int
	Get         string
	Got, Goats  int
	Chit        string
	Kind, Way   string
	Mercenaries int
	Deck        string
	Seat        int
}

// About tells what is asked about: the fields that the Kind of the question needs.
type About struct {
	Coins      int
	Tile, Kind string
	Hungry     int
	Done       [][]string
	Resource   string
	Most       int
	Deck       string
	By         int
}

// GameOver ends a game; Result is nil if it was not played to its end.
type GameOver struct {
	Ranks  []int
	Result *Result
	Events []json.RawMessage
}

// Quit ends it all.
type Quit struct{}

// Result is the score as the rules have it.
type Result struct {
	Seats         []SeatResult
	Level, Target int
	Passed        bool
}

// SeatResult is the score of a seat.
type SeatResult struct{ Score, Prestige, Population, Luxury, Rank int }

// State is what all players see. It is empty for a bot that wants "events".
type State struct {
	You, Round, Rounds int
	Order              []int
	Seats              []Seat
	Open, Conquest     []string
	Offers             []Offer
	Box                []string
	Stacks             map[string][]string
	Chits              map[string]int
	Chit               string
	Pile               map[string]int
	PileBottom         []string `json:"pile_bottom"`
	Parts              map[string]json.RawMessage
}

// Seat is what lies before a player.
type Seat struct {
	Civilization, Mat   string
	Goods               // in store
	Lands, Buildings    []string
	Marks               []Marker
	Bidding, Taken      string
	Chosen              []string
	ExtraIncome         []string `json:"extra_income"`
	Income              Goods
	Any                 int
	Abilities, Protects []string
	Parts               map[string]json.RawMessage
}

// Offer is a bid that lies on a tile.
type Offer struct {
	Tile        string
	Seat, Coins int
}

// Marker is what marks a building that is not paid yet.
type Marker struct {
	Tile  string
	Coins int
}

// Goods are counted by kind; Pop are inhabitants, Lux is luxury.
type Goods struct{ Wood, Stone, Food, Coin, Pop, Lux int }

// Catalogue is what is printed on the pieces in play.
type Catalogue struct {
	Mats          map[string]Mat
	Civilizations map[string]Civilization
	Tiles         map[string]Tile
	Cards         map[string]json.RawMessage
	Abilities     map[string]string
	Chits         map[string]map[string]int
}

// Tile is a land, a building or a sea tile.
type Tile struct {
	ID, Kind            string
	Points              int
	Stack, Name         string
	Min                 int
	Cost, Once, Income  Goods
	Any                 int
	Counters            map[string]int
	Protects, Abilities []string
	Supply              bool
	Terrain, Set        string
}

// Civilization is what a seat begins with.
type Civilization struct {
	ID                  string
	Order               int
	Start, Income       Goods
	Any                 int
	Protects, Abilities []string
	Set                 string
}

// Mat is the board of a seat.
type Mat struct {
	ID                  string
	Storage             Goods
	Income              [][]int
	CoinsPerPoint       int `json:"coins_per_point"`
	PointsPerInhabitant int `json:"points_per_inhabitant"`
	Abilities           []string
	Note, Set           string
}

// BotHello answers Hello. Without Wants it is the state that comes with every question.
type BotHello struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Wants   string `json:"wants,omitempty"`
}

// Ready answers NewGame.
type Ready struct {
	Type string `json:"type"`
}

// Answer answers Decide: Index is a place in Legal, counted from 0. Note is for people, in the record.
type Answer struct {
	Type  string `json:"type"`
	ID    int    `json:"id"`
	Index int    `json:"index"`
	Note  string `json:"note,omitempty"`
}

// Me is my seat.
func (decide *Decide) Me() Seat {
	return decide.State.Seats[decide.State.You]
}

// Has tells whether the seat has an ability.
func (seat Seat) Has(ability string) bool {
	for _, has := range seat.Abilities {
		if has == ability {
			return true
		}
	}
	return false
}

// Of counts by name; there is none of what has another.
func (goods Goods) Of(name string) int {
	return map[string]int{
		"wood": goods.Wood, "stone": goods.Stone, "food": goods.Food, "coin": goods.Coin, "pop": goods.Pop, "lux": goods.Lux,
	}[name]
}

// Times is what the others are worth, when goods tells what one of each kind is worth.
func (goods Goods) Times(others Goods) int {
	return goods.Wood*others.Wood + goods.Stone*others.Stone + goods.Food*others.Food +
		goods.Coin*others.Coin + goods.Pop*others.Pop + goods.Lux*others.Lux
}
