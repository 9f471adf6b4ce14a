using System;
using System.Collections.Generic;
using System.Linq;

/// <summary>
/// @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
/// Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
/// the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
/// numbers, then the functions, then the idea.
/// </summary>
static class Bot
{
    /// <summary>One of each good, in tenths of a point. Inhabitants are rare: the lower total counts.</summary>
    static readonly Goods Worth = new Goods { Wood = 3, Stone = 3, Food = 5, Coin = 5, Pop = 20, Lux = 3 };
    const int Point = 10, Any = 3; // a point of prestige; an income of "any" good

    static void Main()
    {
        NewGame game = null;
        for (string line; (line = Console.ReadLine()) != null;)
        {
            object message = Json.Read(line);
            string type = (string)((Dictionary<string, object>)message)["type"];
            if (type == "hello") Console.WriteLine(Json.Write(new { type, name = "@NAME@" }));
            if (type == "newgame")
            {
                game = Json.As<NewGame>(message);
                Console.WriteLine(Json.Write(new { type = "ready" }));
            }
            if (type == "decide")
            {
                var decide = Json.As<Decide>(message);
                Console.WriteLine(Json.Write(new { type = "answer", id = decide.Id, index = Choose(decide, game) }));
            }
            if (type == "quit") return;
        }
    }

    /// <summary>The place of the best move in Legal.</summary>
    static int Choose(Decide decide, NewGame game)
    {
        var likings = decide.Legal.Select(move => Liking(move, decide, game)).ToList();
        return likings.IndexOf(likings.Max());
    }

    /// <summary>How much I like a move. About tells of what: here the coins of an outbid bid.</summary>
    static int Liking(Move move, Decide decide, NewGame game)
    {
        switch (move.Type)
        {
            case "bid": return Value(move.Tile, decide, game) - Worth.Coin * move.Coins;
            case "take_aid": case "move_bid": case "buy_sea": return Value(move.Tile, decide, game);
            case "pass": return 3 * Worth.Coin; // passing brings 3 coins
            case "withdraw": return Worth.Coin * (decide.About.Coins + 1); // the bid comes back, and a coin with it
            case "feed": return move.Inhabitants;
            case "hire": return move.Mercenaries + 1;
            case "take_any": case "extra_income": return -decide.Me[move.Resource]; // what I have least of
            case "strengthen": return 2;
            case "pay": case "keep": case "complete": case "skip": case "refuse": return 1; // keep what you have
            default: return 0;
        }
    }

    /// <summary>What a tile is worth: points, goods at once and in every round left, less twice its cost.</summary>
    static int Value(string name, Decide decide, NewGame game)
    {
        Tile tile = game.Catalogue.Tiles[name];
        if (!Fits(tile, decide.Me, game)) return 0;
        int rounds = decide.State.Rounds - decide.State.Round + 1, income = Worth.Times(tile.Income) + Any * tile.Any;
        return Point * tile.Points + Worth.Times(tile.Once) + rounds * income - 2 * Worth.Times(tile.Cost);
    }

    /// <summary>Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food.</summary>
    static bool Fits(Tile tile, Seat me, NewGame game)
    {
        if (tile.Kind != "land" || me.Lands.Count == 0 || me.Abilities.Contains("free_placement")) return true;
        Goods last = game.Catalogue.Tiles[me.Lands.Last()].Income;
        return new[] { "wood", "stone", "food" }.Any(good => last[good] > 0 && tile.Income[good] > 0);
    }
}
