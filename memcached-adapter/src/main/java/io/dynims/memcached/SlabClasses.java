package io.dynims.memcached;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How memcached divides its memory: items of about one size are a class, and each class has pages
 * of 1 MiB.
 *
 * @param allocatedBytes all pages together
 */
record SlabClasses(long allocatedBytes, List<SlabClass> classes) {

  /**
   * A class.
   *
   * @param id its number
   * @param pages how many pages it has
   * @param freeBytes what of them no item uses
   */
  record SlabClass(int id, long pages, long freeBytes) {}

  static final SlabClasses NONE = new SlabClasses(0, List.of());

  private static final long PAGE_BYTES = 1L << 20;

  /**
   * The classes of a server.
   *
   * @throws IOException if the connection is lost, or the answer is none
   */
  static SlabClasses read(MemcachedConnection connection) throws IOException {
    try {
      return parse(connection.statistics("stats slabs"));
    } catch (NumberFormatException e) {
      throw new IOException("stats slabs: " + e.getMessage(), e);
    }
  }

  /**
   * Reads what {@code stats slabs} tells: a value for each class, such as {@code 7:total_pages}.
   *
   * @throws NumberFormatException if one is no number
   */
  static SlabClasses parse(Map<String, String> statistics) {
    Map<Integer, Map<String, Long>> byClass = new HashMap<>();
    statistics.forEach(
        (name, value) -> {
          int colon = name.indexOf(':');
          if (colon > 0) {
            byClass
                .computeIfAbsent(Integer.valueOf(name.substring(0, colon)), id -> new HashMap<>())
                .put(name.substring(colon + 1), Long.valueOf(value));
          }
        });
    List<SlabClass> classes =
        byClass.entrySet().stream()
            .map(
                each ->
                    new SlabClass(
                        each.getKey(),
                        each.getValue().getOrDefault("total_pages", 0L),
                        each.getValue().getOrDefault("free_chunks", 0L)
                            * each.getValue().getOrDefault("chunk_size", 0L)))
            .toList();
    return new SlabClasses(Long.parseLong(statistics.getOrDefault("total_malloced", "0")), classes);
  }

  /** What the pages of each class occupy, by its number. */
  Map<String, Long> bytesByClass() {
    return classes.stream()
        .collect(
            Collectors.toMap(
                each -> Integer.toString(each.id()), each -> each.pages() * PAGE_BYTES));
  }

  /**
   * The classes that have a page to give, the best first: those with the most that no item uses,
   * and among them the largest. A class keeps its last page.
   */
  List<SlabClass> givers() {
    return classes.stream()
        .filter(each -> each.pages() > 1)
        .sorted(
            Comparator.comparingLong(SlabClass::freeBytes)
                .thenComparingLong(SlabClass::pages)
                .reversed())
        .toList();
  }
}
