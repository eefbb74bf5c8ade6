package io.dynims.core.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.dynims.core.law.MemorySize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;

/**
 * Converts one type of record to UTF-8 JSON and back. Unknown fields are ignored; a missing or
 * mistyped field is an error that names it. Thread-safe.
 */
public final class WireCodec<T> {

  public static final WireCodec<Policy> POLICY = new WireCodec<>(Policy.class);
  public static final WireCodec<Target> TARGET = new WireCodec<>(Target.class);
  public static final WireCodec<Ack> ACK = new WireCodec<>(Ack.class);

  private final Class<T> type;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  /** A codec for a record whose components are required unless marked {@link OptionalField}. */
  public WireCodec(Class<T> type) {
    this.type = type;
    this.reader = Json.MAPPER.readerFor(type);
    this.writer = Json.MAPPER.writerFor(type);
  }

  /** The record as JSON. */
  public byte[] encode(T value) {
    try {
      return writer.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a record.
   *
   * @throws WireException when the JSON is malformed, a field is missing, of the wrong type or out
   *     of its range
   */
  public T decode(byte[] json) throws WireException {
    if (json == null || json.length == 0) {
      throw new WireException("", type.getSimpleName() + ": the message is empty", null);
    }
    try {
      T value = reader.readValue(json);
      if (value == null) {
        throw new WireException("", type.getSimpleName() + ": the message is null", null);
      }
      return value;
    } catch (IOException e) {
      throw explain(e);
    }
  }

  private WireException explain(IOException e) {
    String name = type.getSimpleName();
    if (!(e instanceof JsonMappingException mapping)) {
      String what =
          e instanceof JsonProcessingException p ? p.getOriginalMessage() : e.getMessage();
      return new WireException("", name + ": not JSON: " + what, e);
    }
    if (mapping.getCause() instanceof IllegalArgumentException outOfRange) {
      String message = outOfRange.getMessage();
      int colon = message.indexOf(':');
      return new WireException(
          colon < 0 ? "" : message.substring(0, colon), name + ": " + message, e);
    }
    String field =
        mapping.getPath().stream()
            .map(JsonMappingException.Reference::getFieldName)
            .filter(f -> f != null)
            .collect(Collectors.joining("."));
    return new WireException(field, name + ": " + field + ": " + firstLine(mapping), e);
  }

  private static String firstLine(JsonMappingException e) {
    return e.getOriginalMessage().lines().findFirst().orElse("cannot be read");
  }

  /** The shared mapper; creating one is slow. */
  private static final class Json {

    static final ObjectMapper MAPPER =
        JsonMapper.builder()
            .annotationIntrospector(new RequiredUnlessMarked())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(
                    JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .withCoercionConfig(
                LogicalType.Textual,
                c -> c.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
            .addModule(
                new SimpleModule()
                    .addDeserializer(Double.class, new NumbersOnly())
                    .addDeserializer(double.class, new NumbersOnly()))
            .build();
  }

  private static final class RequiredUnlessMarked extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasRequiredMarker(AnnotatedMember member) {
      // Of the law's own records only this one has parts that may be left out.
      return !member.hasAnnotation(OptionalField.class)
          && member.getDeclaringClass() != MemorySize.class;
    }

    /** Null is like missing, also in a list. */
    @Override
    public JsonSetter.Value findSetterInfo(Annotated annotated) {
      return annotated instanceof AnnotatedMember member && hasRequiredMarker(member)
          ? JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL)
          : super.findSetterInfo(annotated);
    }
  }

  /** Refuses texts such as "NaN", which Jackson takes for numbers, and numbers beyond a double. */
  private static final class NumbersOnly extends StdScalarDeserializer<Double> {

    private static final long serialVersionUID = 1L;

    NumbersOnly() {
      super(Double.class);
    }

    @Override
    public Double deserialize(JsonParser json, DeserializationContext context) throws IOException {
      if (!json.currentToken().isNumeric()) {
        return (Double) context.handleUnexpectedToken(Double.class, json);
      }
      double number = json.getDoubleValue();
      return Double.isFinite(number)
          ? (Double) number
          : (Double)
              context.handleWeirdNumberValue(Double.class, number, "it is too large for a double");
    }
  }
}
