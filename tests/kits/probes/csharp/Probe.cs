using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

/// <summary>Prints what the kit's types hold of each message; see tests/kits/probing.py.</summary>
sealed class Probe
{
    readonly List<string> words = new List<string>();

    static void Main()
    {
        var lines = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
        for (string line; (line = lines.ReadLine()) != null;)
        {
            int tab = line.IndexOf('\t');
            var probe = new Probe();
            probe.Tell(line.Substring(0, tab), (Dictionary<string, object>)Json.Read(line.Substring(tab + 1)));
            output.Write(string.Join(" ", probe.words) + "\n");
        }
    }

    void Tell(string kind, Dictionary<string, object> message)
    {
        string type = message.ContainsKey("type") ? (string)message["type"] : "";
        if (kind == "seat") Seat(Json.As<Seat>(message));
        else if (kind == "from") Own(type, message);
        else if (type == "newgame") NewGame(Json.As<NewGame>(message));
        else if (type == "decide") Decide(Json.As<Decide>(message));
        else if (type == "gameover") GameOver(Json.As<GameOver>(message));
        else if (type == "hello")
        {
            var hello = Json.As<Hello>(message);
            Add("hello", hello.Protocol, hello.Referee);
        }
        else if (Json.As<Quit>(message) != null) Add(type);
    }

    void Add(params object[] values)
    {
        foreach (object value in values)
        {
            string word = Word(value).Replace(' ', '_');
            words.Add(word == "" ? "-" : word);
        }
    }

    static string Word(object value)
    {
        if (value == null) return "none";
        if (value is bool truth) return truth ? "1" : "0";
        if (value is string text) return text;
        if (value is Offer o) return $"{o.Tile}:{o.Seat}:{o.Coins}";
        if (value is Marker m) return $"{m.Tile}:{m.Coins}";
        if (value is Move move) return Said(move);
        if (value is Goods g) return string.Join("/", g.Wood, g.Stone, g.Food, g.Coin, g.Pop, g.Lux);
        if (value is IDictionary map) return Joined(Keys(map).Select(key => $"{key}={map[key]}"));
        if (value is IEnumerable items) return Joined(items.Cast<object>());
        return value.ToString();
    }

    static string Joined(IEnumerable<object> items, string between = ",") => string.Join(between, items.Select(Word));

    static IEnumerable<string> Keys(IDictionary map) => map.Keys.Cast<string>().OrderBy(key => key, StringComparer.Ordinal);

    /// <summary>Lists in a list: their items joined otherwise.</summary>
    static List<string> Rows<T>(List<List<T>> rows) => rows.Select(row => Joined(row.Cast<object>(), ":")).ToList();

    static string Said(Move m)
    {
        string[] fields = {
            "type=" + m.Type, "tile=" + m.Tile, "coins=" + m.Coins, "resource=" + m.Resource,
            "inhabitants=" + m.Inhabitants, "give=" + m.Give, "given=" + m.Given, "get=" + m.Get, "got=" + m.Got,
            "goats=" + m.Goats, "chit=" + m.Chit, "kind=" + m.Kind, "way=" + m.Way, "mercenaries=" + m.Mercenaries,
            "deck=" + m.Deck, "seat=" + m.Seat,
        };
        return string.Join(";", fields.Where(field => !field.EndsWith("=") && !field.EndsWith("=0")));
    }

    void Tile(Tile t)
    {
        Add(t.Id, t.Kind, t.Points, t.Stack, t.Name, t.Min, t.Cost, t.Once, t.Income, t.Any, t.Counters);
        Add(t.Protects, t.Abilities, t.Supply, t.Terrain, t.Set);
    }

    void Seat(Seat s)
    {
        Add(s.Civilization, s.Mat, s, s.Lands, s.Buildings, s.Marks, s.Bidding, s.Taken, s.Chosen, s.ExtraIncome);
        Add(s.Income, s.Any, s.Abilities, s.Protects);
    }

    void NewGame(NewGame g)
    {
        var o = g.Options;
        Add("newgame", g.Game, g.Seat, g.Seats, o.Players, o.Modules, o.Level, o.Rounds, o.TilesPerRound, o.Components);
        Add(g.Clock.BankMs, g.Clock.IncrementMs, g.Clock.MoveMs, g.Random);
        var pieces = g.Catalogue;
        foreach (var m in Keys(pieces.Mats).Select(key => pieces.Mats[key]))
        {
            Add(m.Id, m.Storage, Rows(m.Income), m.CoinsPerPoint, m.PointsPerInhabitant, m.Abilities, m.Note, m.Set);
        }
        foreach (var c in Keys(pieces.Civilizations).Select(key => pieces.Civilizations[key]))
        {
            Add(c.Id, c.Order, c.Start, c.Income, c.Any, c.Protects, c.Abilities, c.Set);
        }
        foreach (string key in Keys(pieces.Tiles)) Tile(pieces.Tiles[key]);
        Add(pieces.Abilities);
        foreach (string key in Keys(pieces.Chits)) Add(key, pieces.Chits[key]);
    }

    void Decide(Decide d)
    {
        Add("decide", d.Id, d.Kind, d.BankMs);
        Add(d.Legal.ToArray());
        var a = d.About;
        Add(a.Coins, a.Tile, a.Kind, a.Hungry, Rows(a.Done), a.Resource, a.Most, a.Deck, a.By, d.Events.Count);
        if (d.State.Seats.Count == 0) Add("none");
        else
        {
            State(d.State);
            d.Tiles.ForEach(Tile);
        }
    }

    void State(State s)
    {
        Add(s.You, s.Round, s.Rounds, s.Order);
        s.Seats.ForEach(Seat);
        Add(s.Open, s.Conquest, s.Offers, s.Box);
        foreach (string key in Keys(s.Stacks)) Add(key, s.Stacks[key]);
        Add(s.Chits, s.Chit, s.Pile, s.PileBottom);
    }

    void GameOver(GameOver over)
    {
        Add("gameover", over.Ranks);
        if (over.Result == null) Add("none");
        else
        {
            foreach (var s in over.Result.Seats) Add(s.Score, s.Prestige, s.Population, s.Luxury, s.Rank);
            Add(over.Result.Level, over.Result.Target, over.Result.Passed);
        }
    }

    /// <summary>What a bot says needs no types: it is written as an object without a class.</summary>
    void Own(string type, Dictionary<string, object> message)
    {
        Add(type);
        if (type == "hello") Add(message["name"], Found(message, "version", ""), Found(message, "wants", ""));
        if (type != "answer") return;
        object move = message.ContainsKey("move") ? Json.As<Move>(message["move"]) : null;
        Add(message["id"], Found(message, "index", null), move, Found(message, "note", ""));
    }

    static object Found(Dictionary<string, object> message, string name, object otherwise) =>
        message.TryGetValue(name, out object value) ? value : otherwise;
}
