package io.dynims.torture.world;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies saved state as a checkpoint does: lists, maps, arrays and plain objects with public fields
 * are copied, records and other values are shared.
 */
final class StateCopy {

  private StateCopy() {}

  static <T> T of(T value) {
    try {
      @SuppressWarnings("unchecked")
      T copy = (T) copy(value);
      return copy;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot be saved: " + value.getClass(), e);
    }
  }

  private static Object copy(Object value) throws ReflectiveOperationException {
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      for (Object each : list) {
        copy.add(copy(each));
      }
      return copy;
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new HashMap<>();
      for (Map.Entry<?, ?> each : map.entrySet()) {
        copy.put(each.getKey(), copy(each.getValue()));
      }
      return copy;
    }
    if (value instanceof double[] numbers) {
      return numbers.clone();
    }
    if (value == null
        || value instanceof Record
        || value instanceof Enum
        || value.getClass().getName().startsWith("java.")) {
      return value;
    }
    Object copy = value.getClass().getConstructor().newInstance();
    for (Field field : value.getClass().getFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.set(copy, copy(field.get(value)));
      }
    }
    return copy;
  }
}
