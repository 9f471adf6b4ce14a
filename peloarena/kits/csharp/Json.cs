using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>
/// JSON, without a library. <c>Read</c> makes a Dictionary, List, string, long, double, bool or null of a text,
/// <c>As</c> makes objects of these, and <c>Write</c> a text again. The field <c>bank_ms</c> is the property
/// <c>BankMs</c>; fields that a class does not have are ignored, and what is missing or null keeps its default.
/// </summary>
sealed class Json
{
    /// <summary>Lists and objects inside each other: deeper ones could exhaust the stack and are refused.</summary>
    const int Deepest = 128;
    const string Escapes = "\"\\/bfnrt", Escaped = "\"\\/\b\f\n\r\t";

    readonly string text;
    int at, depth;

    Json(string text)
    {
        this.text = text;
    }

    /// <exception cref="FormatException">if it is no JSON</exception>
    public static object Read(string text)
    {
        var reader = new Json(text);
        object value = reader.Value();
        reader.SkipSpace();
        if (reader.at < text.Length) throw reader.Error("more than one value");
        return value;
    }

    FormatException Error(string what) => new FormatException($"{what} at character {at}");

    char Next => at < text.Length ? text[at] : '\0';

    void SkipSpace()
    {
        while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
    }

    /// <summary>Goes on behind this mark, if it is what comes next.</summary>
    bool Found(char mark)
    {
        SkipSpace();
        if (Next != mark) return false;
        at++;
        return true;
    }

    object Value()
    {
        SkipSpace();
        switch (Next)
        {
            case '{': return Object();
            case '[': return List();
            case '"': return String();
            case 't': return Word("true", true);
            case 'f': return Word("false", false);
            case 'n': return Word("null", null);
            default: return Next == '-' || IsDigit(Next) ? Number() : throw Error("no value");
        }
    }

    object Word(string word, object value)
    {
        if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Error("no value");
        at += word.Length;
        return value;
    }

    Dictionary<string, object> Object()
    {
        var fields = new Dictionary<string, object>();
        Items('}', () =>
        {
            SkipSpace();
            string name = String();
            if (!Found(':')) throw Error("no colon");
            fields[name] = Value();
        });
        return fields;
    }

    List<object> List()
    {
        var items = new List<object>();
        Items(']', () => items.Add(Value()));
        return items;
    }

    void Items(char end, Action item)
    {
        if (++depth > Deepest) throw Error("nested too deeply");
        at++;
        if (!Found(end))
        {
            do item(); while (Found(','));
            if (!Found(end)) throw Error("neither a comma nor the end of a list or an object");
        }
        depth--;
    }

    static bool IsDigit(char character) => character >= '0' && character <= '9';

    object Number()
    {
        int start = at;
        if (Next == '-') at++;
        if (Next == '0') at++; // nothing may follow a leading zero
        else Digits();
        int whole = at;
        if (Next == '.')
        {
            at++;
            Digits();
        }
        if (Next == 'e' || Next == 'E')
        {
            at++;
            if (Next == '+' || Next == '-') at++;
            Digits();
        }
        string number = text.Substring(start, at - start);
        var culture = CultureInfo.InvariantCulture;
        if (at == whole && long.TryParse(number, NumberStyles.Integer, culture, out long integer)) return integer;
        bool fits = double.TryParse(number, NumberStyles.Float, culture, out double real) && !double.IsInfinity(real);
        return fits ? real : throw Error("too large a number");
    }

    void Digits()
    {
        if (!IsDigit(Next)) throw Error("no digit");
        while (IsDigit(Next)) at++;
    }

    string String()
    {
        if (Next != '"') throw Error("no string");
        at++;
        var found = new StringBuilder();
        while (Next != '"')
        {
            if (Next < ' ') throw Error("a string without an end, or a control character in it");
            found.Append(Next == '\\' ? Escape() : Next);
            at++;
        }
        at++;
        string whole = found.ToString();
        for (int i = 0; i < whole.Length; i++)
            if (char.IsSurrogate(whole, i) && !char.IsSurrogatePair(whole, i++)) throw Error("half a character");
        return whole;
    }

    /// <summary>Leaves off at the last character of the escape.</summary>
    char Escape()
    {
        at++;
        if (Next == 'u')
        {
            string digits = at + 5 <= text.Length ? text.Substring(at + 1, 4) : "";
            if (!Regex.IsMatch(digits, "^[0-9a-fA-F]{4}$")) throw Error("four hexadecimal digits are wanted");
            at += 4;
            return (char)Convert.ToInt32(digits, 16);
        }
        int escape = at < text.Length ? Escapes.IndexOf(Next) : -1;
        if (escape < 0) throw Error("an unknown escape");
        return Escaped[escape];
    }

    /// <summary>What <c>Read</c> gave, as this type.</summary>
    public static T As<T>(object value) => (T)Fitted(value, typeof(T));

    static object Fitted(object value, Type type)
    {
        if (type == typeof(object)) return value;
        if (type == typeof(int) || type == typeof(int?)) return checked((int)(long)value);
        if (value is List<object> items) return Filled((IList)Activator.CreateInstance(type), items);
        if (!(value is Dictionary<string, object> fields)) return value;
        object made = Activator.CreateInstance(type);
        return made is IDictionary dictionary ? Filled(dictionary, fields) : Filled(made, fields);
    }

    static object Filled(IList list, List<object> items)
    {
        Type type = list.GetType().GetGenericArguments()[0];
        foreach (object item in items) list.Add(Fitted(item, type));
        return list;
    }

    static object Filled(IDictionary dictionary, Dictionary<string, object> fields)
    {
        Type type = dictionary.GetType().GetGenericArguments()[1];
        foreach (var field in fields) dictionary[field.Key] = Fitted(field.Value, type);
        return dictionary;
    }

    static object Filled(object made, Dictionary<string, object> fields)
    {
        foreach (PropertyInfo property in made.GetType().GetProperties())
            if (fields.TryGetValue(SnakeCase(property.Name), out object value) && value != null)
                property.SetValue(made, Fitted(value, property.PropertyType));
        return made;
    }

    static string SnakeCase(string name) => Regex.Replace(name, "(?<!^)[A-Z]", "_$0").ToLowerInvariant();

    /// <summary>Of dictionaries, lists, texts, numbers, bools, and of objects by their properties.</summary>
    public static string Write(object value)
    {
        if (value == null) return "null";
        if (value is bool truth) return truth ? "true" : "false";
        if (value is string words) return Quoted(words);
        if (value is double real) return real.ToString("R", CultureInfo.InvariantCulture);
        if (value is IFormattable number) return number.ToString(null, CultureInfo.InvariantCulture);
        if (value is IDictionary map) return Object(map.Keys.Cast<string>().Select(name => Field(name, map[name])));
        if (value is IEnumerable items) return "[" + string.Join(",", items.Cast<object>().Select(Write)) + "]";
        var filled = value.GetType().GetProperties().Where(property => property.GetValue(value) != null);
        return Object(filled.Select(property => Field(SnakeCase(property.Name), property.GetValue(value))));
    }

    static string Object(IEnumerable<string> fields) => "{" + string.Join(",", fields) + "}";

    static string Field(string name, object value) => Quoted(name) + ":" + Write(value);

    static string Quoted(string words)
    {
        string safe = Regex.Replace(words, "[\"\\\\]", "\\$0");
        return '"' + Regex.Replace(safe, "[\\x00-\\x1f]", match => $"\\u{(int)match.Value[0]:x4}") + '"';
    }
}
