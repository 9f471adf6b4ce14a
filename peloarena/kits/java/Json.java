import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * JSON, without a library. {@link #read} makes a Map, List, String, Long, Double, Boolean or null of a text,
 * {@link #as} makes records of these, and {@link #write} a text again. The field {@code bank_ms} is the component
 * {@code bankMs}; fields that a record does not have are ignored, and what is missing is 0, false, "" or empty.
 */
final class Json {
    /** Lists and objects inside each other: deeper ones are refused, so that no line can exhaust the stack. */
    private static final int DEEPEST = 128;
    private static final String ESCAPES = "\"\\/bfnrt", ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException if it is no JSON. */
    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        reader.skipSpace();
        if (reader.at < text.length()) throw reader.error("more than one value");
        return value;
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException(what + " at character " + at);
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    /** Goes on behind this mark, if it is what comes next. */
    private boolean found(char mark) {
        skipSpace();
        if (peek() != mark) return false;
        at++;
        return true;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw error("no value");
        };
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw error("no value");
        at += word.length();
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        items('}', () -> {
            skipSpace();
            String name = string();
            if (!found(':')) throw error("no colon");
            fields.put(name, value());
        });
        return fields;
    }

    private List<Object> list() {
        List<Object> items = new ArrayList<>();
        items(']', () -> items.add(value()));
        return items;
    }

    private void items(char end, Runnable item) {
        if (++depth > DEEPEST) throw error("nested too deeply");
        at++;
        if (!found(end)) {
            do item.run(); while (found(','));
            if (!found(end)) throw error("neither a comma nor the end of a list or an object");
        }
        depth--;
    }

    private Number number() {
        int start = at;
        if (peek() == '-') at++;
        if (peek() == '0') at++; // nothing may follow a leading zero
        else digits();
        int whole = at;
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') at++;
            digits();
        }
        String number = text.substring(start, at);
        try {
            if (at == whole) return Long.valueOf(number);
        } catch (NumberFormatException tooLong) {
            // as a Double, then
        }
        Double real = Double.valueOf(number);
        if (real.isInfinite()) throw error("too large a number");
        return real;
    }

    private void digits() {
        int start = at;
        while (peek() >= '0' && peek() <= '9') at++;
        if (at == start) throw error("no digit");
    }

    private String string() {
        if (peek() != '"') throw error("no string");
        at++;
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            if (peek() < ' ') throw error("a string without an end, or a control character in it");
            string.append(peek() == '\\' ? escaped() : peek());
            at++;
        }
        at++;
        for (int i = 0; i < string.length(); i += Character.charCount(string.codePointAt(i)))
            if (Character.getType(string.codePointAt(i)) == Character.SURROGATE) throw error("half a character");
        return string.toString();
    }

    /** Leaves off at the last character of the escape. */
    private char escaped() {
        at++;
        if (peek() == 'u') {
            String digits = at + 5 <= text.length() ? text.substring(at + 1, at + 5) : "";
            if (!digits.matches("[0-9a-fA-F]{4}")) throw error("four hexadecimal digits are wanted");
            at += 4;
            return (char) Integer.parseInt(digits, 16);
        }
        int escape = at < text.length() ? ESCAPES.indexOf(peek()) : -1;
        if (escape < 0) throw error("an unknown escape");
        return ESCAPED.charAt(escape);
    }

    // ---- records

    /** What {@link #read} gave, as this type. */
    static <T> T as(Object value, Class<T> type) {
        return type.cast(fitted(value, type));
    }

    private static Object fitted(Object value, Type type) {
        if (type instanceof ParameterizedType some) {
            if (some.getRawType() == List.class) return listOf(value, some);
            if (some.getRawType() == Map.class) return mapOf(value, some);
            return Optional.ofNullable(value).map(there -> fitted(there, some.getActualTypeArguments()[0]));
        }
        if (type == Object.class) return value;
        if (type == boolean.class) return value == null ? false : (Boolean) value;
        if (type == long.class) return value == null ? 0L : (Long) value;
        if (type == int.class || type == Integer.class) return value == null ? 0 : Math.toIntExact((Long) value);
        if (type == String.class) return value == null ? "" : (String) value;
        return record(value == null ? Map.of() : (Map<?, ?>) value, (Class<?>) type);
    }

    private static List<Object> listOf(Object value, ParameterizedType type) {
        List<Object> items = new ArrayList<>();
        Type item = type.getActualTypeArguments()[0];
        if (value != null) ((List<?>) value).forEach(each -> items.add(fitted(each, item)));
        return items;
    }

    private static Map<Object, Object> mapOf(Object value, ParameterizedType type) {
        Map<Object, Object> fields = new LinkedHashMap<>();
        Type item = type.getActualTypeArguments()[1];
        if (value != null) ((Map<?, ?>) value).forEach((name, each) -> fields.put(name, fitted(each, item)));
        return fields;
    }

    private static Object record(Map<?, ?> fields, Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = fitted(fields.get(snakeCase(components[i].getName())), components[i].getGenericType());
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String snakeCase(String name) {
        return name.replaceAll("[A-Z]", "_$0").toLowerCase(Locale.ROOT);
    }

    // ---- writing

    /** Of Maps, Lists, Strings, numbers and Booleans. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof String string) writeString(string, out);
        else if (value instanceof List<?> items) writeList(items, out);
        else if (value instanceof Map<?, ?> fields) writeObject(fields, out);
        else out.append(value);
    }

    private static void writeList(List<?> items, StringBuilder out) {
        out.append('[');
        String comma = "";
        for (Object item : items) {
            out.append(comma);
            write(item, out);
            comma = ",";
        }
        out.append(']');
    }

    private static void writeObject(Map<?, ?> fields, StringBuilder out) {
        out.append('{');
        String comma = "";
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            out.append(comma);
            writeString((String) field.getKey(), out);
            out.append(':');
            write(field.getValue(), out);
            comma = ",";
        }
        out.append('}');
    }

    private static void writeString(String string, StringBuilder out) {
        out.append('"');
        for (char character : string.toCharArray()) {
            if (character < ' ') out.append(String.format("\\u%04x", (int) character));
            else out.append(character == '"' || character == '\\' ? "\\" : "").append(character);
        }
        out.append('"');
    }
}
