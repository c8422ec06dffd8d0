import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The same steps with Java's streams, as they are written there. Plays once for each line of the standard input, after a
 * warm-up, and answers each with the digest of the best three.
 *
 * java Scrabble WORDS DICTIONARY SECONDS
 */
public final class Scrabble {
  private static final int[] POINTS = {
    1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10
  };
  private static final int[] TILES = {
    9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1
  };
  private static final int BLANKS = 2;

  /** How often a letter occurs: one object for it, so that counting makes no new ones. */
  private static final class Count {
    int value;
  }

  private final List<String> words;
  private final Set<String> dictionary;

  private Scrabble(List<String> words, Set<String> dictionary) {
    this.words = words;
    this.dictionary = dictionary;
  }

  private List<Map.Entry<Integer, List<String>>> play() {
    TreeMap<Integer, List<String>> scores =
        words.stream()
            .filter(dictionary::contains)
            .filter(word -> blanks(word) <= BLANKS)
            .collect(Collectors.groupingBy(this::score, TreeMap::new, Collectors.toList()));
    return scores.descendingMap().entrySet().stream().limit(3).collect(Collectors.toList());
  }

  private Map<Integer, Count> histogram(String word) {
    return word.chars()
        .collect(HashMap::new, (counts, letter) -> counts.computeIfAbsent(letter, l -> new Count()).value++, Map::putAll);
  }

  private int blanks(String word) {
    return histogram(word).entrySet().stream()
        .mapToInt(letter -> Math.max(0, letter.getValue().value - TILES[letter.getKey() - 'a']))
        .sum();
  }

  private int sum(String word) {
    return histogram(word).entrySet().stream()
        .mapToInt(letter -> POINTS[letter.getKey() - 'a'] * Math.min(letter.getValue().value, TILES[letter.getKey() - 'a']))
        .sum();
  }

  private int dearest(String word) {
    return Stream.of(word.chars().limit(3), word.chars().skip(Math.max(0, word.length() - 3)))
        .flatMapToInt(letters -> letters)
        .map(letter -> POINTS[letter - 'a'])
        .max()
        .orElse(0);
  }

  private int score(String word) {
    int bonus = word.length() == 7 ? 50 : 0;
    return IntStream.of(sum(word), sum(word), dearest(word), dearest(word), bonus).sum();
  }

  /** FNV-1a of the lines of the ranks. */
  private static long digest(List<Map.Entry<Integer, List<String>>> ranks) {
    long hash = 0xcbf29ce484222325L;
    for (Map.Entry<Integer, List<String>> rank : ranks) {
      String line = rank.getKey() + ": " + String.join(" ", rank.getValue()) + "\n";
      for (byte letter : line.getBytes(StandardCharsets.UTF_8)) {
        hash = (hash ^ (letter & 0xff)) * 0x100000001b3L;
      }
    }
    return hash;
  }

  public static void main(String[] arguments) throws Exception {
    List<String> words = new ArrayList<>(Files.readAllLines(Path.of(arguments[0])));
    Scrabble game = new Scrabble(words, new HashSet<>(Files.readAllLines(Path.of(arguments[1]))));
    long end = System.nanoTime() + Long.parseLong(arguments[2]) * 1_000_000_000L;
    while (System.nanoTime() < end) {
      game.play();
    }
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    while (lines.readLine() != null) {
      System.out.println(digest(game.play()));
    }
  }
}
