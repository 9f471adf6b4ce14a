# @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
#
# Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
# the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
# numbers, then the functions, then the idea.

require "json"

# One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts.
WORTH = { wood: 3, stone: 3, food: 5, coin: 5, pop: 20, lux: 3 }.freeze
POINT = 10 # of prestige
ANY = 3 # good, in an income

# A question in its game: both messages as they came, with symbols for keys.
class Question
  def initialize(game, decide)
    @decide = decide
    @state = decide[:state]
    @me = @state[:seats][@state[:you]]
    @tiles = game[:catalogue][:tiles]
  end

  # The place of the best move in legal.
  def choose
    likings = @decide[:legal].map { |move| liking(move) }
    likings.index(likings.max)
  end

  # How much I like a move. `about` tells what the question is about: here the coins of a bid that was outbid.
  def liking(move)
    case move
    in { type: "bid", tile:, coins: } then value(tile) - WORTH[:coin] * coins
    in { type: "take_aid" | "move_bid" | "buy_sea", tile: } then value(tile)
    in { type: "pass" } then 3 * WORTH[:coin] # passing brings 3 coins
    in { type: "withdraw" } then WORTH[:coin] * (@decide[:about][:coins] + 1) # the bid comes back, and a coin with it
    in { type: "feed", inhabitants: } then inhabitants
    in { type: "hire", mercenaries: } then mercenaries + 1
    in { type: "take_any" | "extra_income", resource: } then -@me.fetch(resource.to_sym, 0) # what I have least of
    in { type: "strengthen" } then 2
    in { type: "pay" | "keep" | "complete" | "skip" | "refuse" } then 1 # keep what you have, leave alone the unknown
    else 0
    end
  end

  # What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost.
  def value(name)
    tile = @tiles[name.to_sym]
    return 0 unless fits?(tile)

    rounds = @state[:rounds] - @state[:round] + 1
    income = worth(tile[:income]) + ANY * tile.fetch(:any, 0)
    POINT * tile.fetch(:points, 0) + worth(tile[:once]) + rounds * income - 2 * worth(tile[:cost])
  end

  # Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food.
  def fits?(tile)
    return true if tile[:kind] != "land" || @me[:lands].empty? || @me[:abilities].include?("free_placement")

    last = @tiles[@me[:lands].last.to_sym]
    %i[wood stone food].any? { |good| [last, tile].all? { |land| land.dig(:income, good).to_i.positive? } }
  end

  def worth(goods)
    goods.to_h.sum { |good, count| WORTH.fetch(good, 0) * count }
  end
end

$stdout.sync = true
game = nil
$stdin.each_line do |line|
  case message = JSON.parse(line, symbolize_names: true)
  in { type: "hello" } then puts JSON.generate(type: "hello", name: "@NAME@")
  in { type: "newgame" }
    game = message
    puts JSON.generate(type: "ready")
  in { type: "decide", id: } then puts JSON.generate(type: "answer", id:, index: Question.new(game, message).choose)
  in { type: "quit" } then break
  else next # gameover, and what later versions say
  end
end
