-- JSON in plain Lua 5.3 and later: json.decode(text) and json.encode(value).
--
-- Objects and arrays become tables, numbers without fraction and exponent integers. A field that is null is not there
-- (nil), null in an array is json.null. Arrays know what they are, so that empty ones are written as [] again; a table
-- of your own is an array when it has a first item, or when it is json.array{...}.

local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local DEEPEST = 128 -- arrays and objects inside each other: deeper ones could exhaust the stack and are refused
local ESCAPED = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local WORDS = { ["true"] = true, ["false"] = false, null = json.null }
local Array = {}

function json.array(items)
  return setmetatable(items, Array)
end

local value -- of what begins at a place: the value and the place behind it; the functions below call each other

local function fail(what, at)
  error(("%s at byte %d"):format(what, at), 0)
end

local function behind_space(text, at)
  return text:match("^[ \t\r\n]*()", at)
end

-- One `\u` and its four digits, as a number.
local function code_unit(text, at)
  local digits = text:match("^\\u(%x%x%x%x)", at) or fail("four hexadecimal digits are wanted", at)
  return tonumber(digits, 16)
end

-- Characters beyond 16 bits are written as a pair of surrogates.
local function character(text, at)
  local first = code_unit(text, at)
  if first < 0xD800 or first > 0xDFFF then
    return utf8.char(first), at + 6
  end
  local second = first < 0xDC00 and text:match("^\\u", at + 6) and code_unit(text, at + 6) or 0
  if second < 0xDC00 or second > 0xDFFF then
    fail("half a character", at)
  end
  return utf8.char(0x10000 + (first - 0xD800) * 0x400 + second - 0xDC00), at + 12
end

local function string_at(text, at)
  if text:byte(at) ~= 0x22 then
    fail("no string", at)
  end
  local parts = {}
  at = at + 1
  while true do
    local plain, stop = text:match('^([^"\\%c]*)()', at)
    parts[#parts + 1] = plain
    local mark = text:sub(stop, stop)
    if mark == '"' then
      return table.concat(parts), stop + 1
    elseif mark == "\127" then -- %c means this one, too, but JSON does not
      parts[#parts + 1], at = mark, stop + 1
    elseif mark ~= "\\" then
      fail("a string without an end, or a control character in it", stop)
    elseif text:sub(stop + 1, stop + 1) == "u" then
      parts[#parts + 1], at = character(text, stop)
    else
      parts[#parts + 1] = ESCAPED[text:sub(stop + 1, stop + 1)] or fail("an unknown escape", stop)
      at = stop + 2
    end
  end
end

local function number_at(text, at)
  local stop = text:match("^-?0()", at) or text:match("^-?%d+()", at) or fail("no value", at)
  stop = text:match("^%.%d+()", stop) or stop
  stop = text:match("^[eE][+-]?%d+()", stop) or stop
  local number = tonumber(text:sub(at, stop - 1))
  if number == math.huge or number == -math.huge then
    fail("too large a number", at)
  end
  return number, stop
end

-- Calls item(at) for each, which gives the place behind it; gives the place behind them all.
local function items(text, at, close, depth, item)
  if depth > DEEPEST then
    fail("nested too deeply", at)
  end
  at = behind_space(text, at + 1)
  if text:sub(at, at) == close then
    return at + 1
  end
  while true do
    at = behind_space(text, item(at))
    local mark = text:sub(at, at)
    if mark == close then
      return at + 1
    elseif mark ~= "," then
      fail("neither a comma nor the end of an array or an object", at)
    end
    at = behind_space(text, at + 1)
  end
end

local function object_at(text, at, depth)
  local fields = {}
  local function field(start)
    local name, stop = string_at(text, start)
    stop = text:match("^[ \t\r\n]*:()", stop) or fail("no colon", stop)
    local found, behind = value(text, stop, depth)
    if found == json.null then
      found = nil
    end
    fields[name] = found
    return behind
  end
  return fields, items(text, at, "}", depth, field)
end

local function array_at(text, at, depth)
  local array = json.array {}
  local function item(start)
    local found, behind = value(text, start, depth)
    array[#array + 1] = found
    return behind
  end
  return array, items(text, at, "]", depth, item)
end

function value(text, at, depth)
  at = behind_space(text, at)
  local first = text:sub(at, at)
  if first == "{" then
    return object_at(text, at, depth + 1)
  elseif first == "[" then
    return array_at(text, at, depth + 1)
  elseif first == '"' then
    return string_at(text, at)
  end
  local word, stop = text:match("^(%l+)()", at)
  if word and WORDS[word] ~= nil then
    return WORDS[word], stop
  end
  return number_at(text, at)
end

-- An error, which says where, if it is no JSON.
function json.decode(text)
  local _, broken = utf8.len(text)
  if broken then
    fail("no UTF-8", broken)
  end
  local found, at = value(text, 1, 0)
  at = behind_space(text, at)
  if at <= #text then
    fail("more than one value", at)
  end
  return found
end

local function quoted(text)
  local function escape(mark)
    return ESCAPED[mark] and "\\" .. mark or ("\\u%04x"):format(mark:byte())
  end
  return '"' .. text:gsub('[%c"\\]', escape) .. '"'
end

function json.encode(found)
  if type(found) == "string" then
    return quoted(found)
  elseif math.type(found) == "float" then
    return ("%.17g"):format(found)
  elseif type(found) ~= "table" or found == json.null then
    return tostring(found)
  end
  local parts = {}
  if found[1] ~= nil or getmetatable(found) == Array then
    for number, item in ipairs(found) do
      parts[number] = json.encode(item)
    end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for name, item in pairs(found) do
    parts[#parts + 1] = quoted(name) .. ":" .. json.encode(item)
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

return json
