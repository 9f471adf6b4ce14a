using System.Collections.Generic;

// What the referee says, as classes; spec/PROTOCOL.md explains each field. What a message leaves out is 0, false, "" or
// empty here, and fields that are not here are ignored. What is an object here is as Json.Read makes it.

sealed class Hello
{
    public int Protocol { get; set; }
    public string Referee { get; set; } = "";
}

sealed class NewGame
{
    public string Game { get; set; } = "";
    public int Seat { get; set; }
    public List<string> Seats { get; set; } = new List<string>();
    public Options Options { get; set; } = new Options();
    public Clock Clock { get; set; } = new Clock();
    public long Random { get; set; }
    public Catalogue Catalogue { get; set; } = new Catalogue();
}

sealed class Options
{
    public int Players { get; set; }
    public List<string> Modules { get; set; } = new List<string>();
    public int Level { get; set; }
    public int Rounds { get; set; }
    public int TilesPerRound { get; set; }
    public string Components { get; set; } = "";
}

sealed class Clock
{
    public int BankMs { get; set; }
    public int IncrementMs { get; set; }
    public int? MoveMs { get; set; }
}

/// <summary>A question: one of Legal is to be chosen.</summary>
sealed class Decide
{
    public int Id { get; set; }
    public string Kind { get; set; } = "";
    public List<Move> Legal { get; set; } = new List<Move>();
    public int BankMs { get; set; }
    public About About { get; set; } = new About();
    public State State { get; set; } = new State();
    public List<Tile> Tiles { get; set; } = new List<Tile>();
    public List<object> Events { get; set; } = new List<object>();

    public Seat Me => State.Seats[State.You];
}

/// <summary>Which fields it has depends on its Type.</summary>
sealed class Move
{
    public string Type { get; set; } = "";
    public string Tile { get; set; } = "";
    public int Coins { get; set; }
    public string Resource { get; set; } = "";
    public int Inhabitants { get; set; }
    public string Give { get; set; } = "";
    public int Given { get; set; }
    public string Get { get; set; } = "";
    public int Got { get; set; }
    public int Goats { get; set; }
    public string Chit { get; set; } = "";
    public string Kind { get; set; } = "";
    public string Way { get; set; } = "";
    public int Mercenaries { get; set; }
    public string Deck { get; set; } = "";
    public int Seat { get; set; }
}

/// <summary>What is asked about. Which fields it has depends on the Kind of the question.</summary>
sealed class About
{
    public int Coins { get; set; }
    public string Tile { get; set; } = "";
    public string Kind { get; set; } = "";
    public int Hungry { get; set; }
    public List<List<string>> Done { get; set; } = new List<List<string>>();
    public string Resource { get; set; } = "";
    public int Most { get; set; }
    public string Deck { get; set; } = "";
    public int By { get; set; }
}

/// <summary>Result is null if the game was not played to its end.</summary>
sealed class GameOver
{
    public List<int> Ranks { get; set; } = new List<int>();
    public Result Result { get; set; }
    public List<object> Events { get; set; } = new List<object>();
}

sealed class Quit { }

sealed class Result
{
    public List<SeatResult> Seats { get; set; } = new List<SeatResult>();
    public int Level { get; set; }
    public int Target { get; set; }
    public bool Passed { get; set; }
}

sealed class SeatResult
{
    public int Score { get; set; }
    public int Prestige { get; set; }
    public int Population { get; set; }
    public int Luxury { get; set; }
    public int Rank { get; set; }
}

/// <summary>What all players see. It is empty for a bot that wants events only.</summary>
sealed class State
{
    public int You { get; set; }
    public int Round { get; set; }
    public int Rounds { get; set; }
    public List<int> Order { get; set; } = new List<int>();
    public List<Seat> Seats { get; set; } = new List<Seat>();
    public List<string> Open { get; set; } = new List<string>();
    public List<string> Conquest { get; set; } = new List<string>();
    public List<Offer> Offers { get; set; } = new List<Offer>();
    public List<string> Box { get; set; } = new List<string>();
    public Dictionary<string, List<string>> Stacks { get; set; } = new Dictionary<string, List<string>>();
    public Dictionary<string, int> Chits { get; set; } = new Dictionary<string, int>();
    public string Chit { get; set; } = "";
    public Dictionary<string, int> Pile { get; set; } = new Dictionary<string, int>();
    public List<string> PileBottom { get; set; } = new List<string>();
    public Dictionary<string, object> Parts { get; set; } = new Dictionary<string, object>();
}

/// <summary>What lies before a player; its goods are in store.</summary>
sealed class Seat : Goods
{
    public string Civilization { get; set; } = "";
    public string Mat { get; set; } = "";
    public List<string> Lands { get; set; } = new List<string>();
    public List<string> Buildings { get; set; } = new List<string>();
    public List<Marker> Marks { get; set; } = new List<Marker>();
    public string Bidding { get; set; } = "";
    public string Taken { get; set; } = "";
    public List<string> Chosen { get; set; } = new List<string>();
    public List<string> ExtraIncome { get; set; } = new List<string>();
    public Goods Income { get; set; } = new Goods();
    public int Any { get; set; }
    public List<string> Abilities { get; set; } = new List<string>();
    public List<string> Protects { get; set; } = new List<string>();
    public Dictionary<string, object> Parts { get; set; } = new Dictionary<string, object>();
}

sealed class Offer
{
    public string Tile { get; set; } = "";
    public int Seat { get; set; }
    public int Coins { get; set; }
}

sealed class Marker
{
    public string Tile { get; set; } = "";
    public int Coins { get; set; }
}

class Goods
{
    public int Wood { get; set; }
    public int Stone { get; set; }
    public int Food { get; set; }
    public int Coin { get; set; }
    public int Pop { get; set; }
    public int Lux { get; set; }

    /// <summary>By name; there is none of what has another.</summary>
    public int this[string name]
    {
        get
        {
            switch (name)
            {
                case "wood": return Wood;
                case "stone": return Stone;
                case "food": return Food;
                case "coin": return Coin;
                case "pop": return Pop;
                case "lux": return Lux;
                default: return 0;
            }
        }
    }

    /// <summary>What the others are worth, when this is what one of each good is worth.</summary>
    public int Times(Goods others) =>
        Wood * others.Wood + Stone * others.Stone + Food * others.Food
        + Coin * others.Coin + Pop * others.Pop + Lux * others.Lux;
}

/// <summary>What is printed on the pieces in play.</summary>
sealed class Catalogue
{
    public Dictionary<string, Mat> Mats { get; set; } = new Dictionary<string, Mat>();
    public Dictionary<string, Civilization> Civilizations { get; set; } = new Dictionary<string, Civilization>();
    public Dictionary<string, Tile> Tiles { get; set; } = new Dictionary<string, Tile>();
    public Dictionary<string, object> Cards { get; set; } = new Dictionary<string, object>();
    public Dictionary<string, string> Abilities { get; set; } = new Dictionary<string, string>();
    public Dictionary<string, Dictionary<string, int>> Chits { get; set; } =
        new Dictionary<string, Dictionary<string, int>>();
}

sealed class Tile
{
    public string Id { get; set; } = "";
    public string Kind { get; set; } = "";
    public int Points { get; set; }
    public string Stack { get; set; } = "";
    public string Name { get; set; } = "";
    public int Min { get; set; }
    public Goods Cost { get; set; } = new Goods();
    public Goods Once { get; set; } = new Goods();
    public Goods Income { get; set; } = new Goods();
    public int Any { get; set; }
    public Dictionary<string, int> Counters { get; set; } = new Dictionary<string, int>();
    public List<string> Protects { get; set; } = new List<string>();
    public List<string> Abilities { get; set; } = new List<string>();
    public bool Supply { get; set; }
    public string Terrain { get; set; } = "";
    public string Set { get; set; } = "";
}

sealed class Civilization
{
    public string Id { get; set; } = "";
    public int Order { get; set; }
    public Goods Start { get; set; } = new Goods();
    public Goods Income { get; set; } = new Goods();
    public int Any { get; set; }
    public List<string> Protects { get; set; } = new List<string>();
    public List<string> Abilities { get; set; } = new List<string>();
    public string Set { get; set; } = "";
}

sealed class Mat
{
    public string Id { get; set; } = "";
    public Goods Storage { get; set; } = new Goods();
    public List<List<int>> Income { get; set; } = new List<List<int>>();
    public int CoinsPerPoint { get; set; }
    public int PointsPerInhabitant { get; set; }
    public List<string> Abilities { get; set; } = new List<string>();
    public string Note { get; set; } = "";
    public string Set { get; set; } = "";
}
