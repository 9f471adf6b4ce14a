-- @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
--
-- Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
-- the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
-- numbers, then the functions, then the idea.

local json = require("json")

-- One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts.
local WORTH = { wood = 3, stone = 3, food = 5, coin = 5, pop = 20, lux = 3 }
local POINT, ANY = 10, 3 -- a point of prestige; an income of "any" good
local NOTHING = {} -- stands for what a message leaves out

local game, decide, me -- the newgame message, the question, my seat

local function worth(goods)
  local total = 0
  for good, count in pairs(goods or NOTHING) do
    total = total + (WORTH[good] or 0) * count
  end
  return total
end

-- Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food.
local function fits(tile)
  if tile.kind ~= "land" or #me.lands == 0 or table.concat(me.abilities, " "):find("free_placement", 1, true) then
    return true
  end
  local last, income = game.catalogue.tiles[me.lands[#me.lands]].income or NOTHING, tile.income or NOTHING
  local function both(good) return (last[good] or 0) > 0 and (income[good] or 0) > 0 end
  return both("wood") or both("stone") or both("food")
end

-- What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost.
local function value(name)
  local tile, rounds = game.catalogue.tiles[name], decide.state.rounds - decide.state.round + 1
  if not fits(tile) then
    return 0
  end
  local income = worth(tile.income) + ANY * (tile.any or 0)
  return POINT * (tile.points or 0) + worth(tile.once) + rounds * income - 2 * worth(tile.cost)
end

-- How much I like a move, by its type. `about` tells what is asked about: here the coins of a bid that was outbid.
local liking = {
  bid = function(move) return value(move.tile) - WORTH.coin * move.coins end,
  take_aid = function(move) return value(move.tile) end,
  pass = function() return 3 * WORTH.coin end, -- passing brings 3 coins
  withdraw = function() return WORTH.coin * (decide.about.coins + 1) end, -- the bid comes back, and a coin with it
  feed = function(move) return move.inhabitants end,
  hire = function(move) return move.mercenaries + 1 end,
  take_any = function(move) return -(me[move.resource] or 0) end, -- what I have least of
  strengthen = function() return 2 end,
  pay = function() return 1 end, -- keep what you have, leave alone what you do not know
}
liking.move_bid, liking.buy_sea, liking.extra_income = liking.take_aid, liking.take_aid, liking.take_any
liking.keep, liking.complete, liking.skip, liking.refuse = liking.pay, liking.pay, liking.pay, liking.pay

-- The place of the best move in legal, counted from 0 as the protocol does.
local function choose()
  me = decide.state.seats[decide.state.you + 1]
  local best, most = 1, math.mininteger
  for place, move in ipairs(decide.legal) do
    local liked = liking[move.type] and liking[move.type](move) or 0
    if liked > most then best, most = place, liked end
  end
  return best - 1
end

local reply = {
  hello = function() return { type = "hello", name = "@NAME@" } end,
  newgame = function(message) game = message; return { type = "ready" } end,
  decide = function(message) decide = message; return { type = "answer", id = message.id, index = choose() } end,
  quit = function() os.exit() end,
}
io.stdout:setvbuf("line")
for line in io.lines() do
  local message = json.decode(line)
  if reply[message.type] then print(json.encode(reply[message.type](message))) end
end
