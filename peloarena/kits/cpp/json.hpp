// JSON, read only: as much of it as a bot needs. What is not there is null, and everything may be asked of null.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

struct Json {
    enum Kind { Null, Bool, Number, Text, List, Object };
    Kind kind = Null;
    bool yes = false;
    double number = 0;
    std::string text;
    std::vector<std::string> keys; // of an object, in the order of `items`
    std::vector<Json> items;       // of a list or an object

    /// The value of a whole text; std::runtime_error if it is no JSON.
    static Json read(const std::string& text);

    /// The value under a key; null if there is none.
    const Json& operator[](const std::string& key) const
    {
        static const Json none;
        for (size_t i = 0; i < keys.size(); i++)
            if (keys[i] == key) return items[i];
        return none;
    }
};

class JsonReader {
public:
    explicit JsonReader(const std::string& text) : at(text.c_str()), end(at + text.size()) {}

    Json whole()
    {
        Json found = value(0);
        space();
        if (at != end) wrong();
        return found;
    }

private:
    static constexpr int deepest = 200;
    const char *at, *end;

    [[noreturn]] static void wrong() { throw std::runtime_error("not JSON"); }

    void space()
    {
        while (at != end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) at++;
    }

    bool is_next(char wanted)
    {
        space();
        if (at == end || *at != wanted) return false;
        at++;
        return true;
    }

    void expect(const std::string& word)
    {
        for (char wanted : word)
            if (at == end || *at++ != wanted) wrong();
    }

    Json value(int depth)
    {
        if (depth > deepest) wrong();
        space();
        Json found;
        switch (at == end ? 0 : *at) {
        case '{': found.kind = Json::Object; inside(found, '}', depth); break;
        case '[': found.kind = Json::List; inside(found, ']', depth); break;
        case '"': found.kind = Json::Text; found.text = string(); break;
        case 't': expect("true"), found.kind = Json::Bool, found.yes = true; break;
        case 'f': expect("false"), found.kind = Json::Bool; break;
        case 'n': expect("null"); break;
        default: found.kind = Json::Number; found.number = number();
        }
        return found;
    }

    void inside(Json& around, char close, int depth)
    {
        for (at++; !is_next(close);) {
            if (!around.items.empty() && !is_next(',')) wrong();
            if (close == '}') {
                space();
                around.keys.push_back(string());
                if (!is_next(':')) wrong();
            }
            around.items.push_back(value(depth + 1));
        }
    }

    void digits()
    {
        if (at == end || *at < '0' || *at > '9') wrong();
        while (at != end && *at >= '0' && *at <= '9') at++;
    }

    double number()
    {
        const char* start = at;
        if (*at == '-') at++;
        if (at != end && *at == '0') at++;
        else digits();
        if (*at == '.') at++, digits();
        if (*at == 'e' || *at == 'E') {
            at++;
            if (*at == '+' || *at == '-') at++;
            digits();
        }
        double found = std::strtod(start, nullptr);
        if (found - found != 0) wrong(); // beyond all numbers
        return found;
    }

    std::string string()
    {
        std::string found;
        if (at == end || *at++ != '"') wrong();
        while (at != end && *at != '"') {
            if (static_cast<unsigned char>(*at) < ' ') wrong();
            if (*at == '\\') escape(found);
            else found += *at++;
        }
        expect("\"");
        return found;
    }

    void escape(std::string& into)
    {
        static const std::string escapes = "\"\\/bfnrt", means = "\"\\/\b\f\n\r\t";
        at++;
        if (at != end && *at == 'u') return unicode(into);
        size_t place = at == end ? std::string::npos : escapes.find(*at++);
        if (place == std::string::npos) wrong();
        into += means[place];
    }

    unsigned hex()
    {
        unsigned code = 0;
        expect("u");
        for (int i = 0; i < 4; i++) {
            size_t digit = at == end ? std::string::npos : std::string("0123456789abcdef0123456789ABCDEF").find(*at++);
            if (digit == std::string::npos) wrong();
            code = code * 16 + digit % 16;
        }
        return code;
    }

    void unicode(std::string& into)
    {
        unsigned code = hex();
        if (code >> 10 == 0x36 && end - at > 1 && at[0] == '\\' && at[1] == 'u') { // the first half of a pair
            at++;
            unsigned low = hex();
            if (low >> 10 != 0x37) wrong();
            code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF);
        }
        if (code >= 0xD800 && code < 0xE000) wrong(); // half a pair
        auto add = [&into](unsigned byte) { into += static_cast<char>(byte); };
        if (code < 0x80) return add(code);
        if (code < 0x800) add(0xC0 | code >> 6);
        else if (code < 0x10000) add(0xE0 | code >> 12), add(0x80 | (code >> 6 & 63));
        else add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 63)), add(0x80 | (code >> 6 & 63));
        add(0x80 | (code & 63));
    }
};

inline Json Json::read(const std::string& text) { return JsonReader(text).whole(); }
