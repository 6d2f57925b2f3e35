import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** Serves on a free port of loopback, prints the address, and ends when its standard input does. */
class Main {
  public static void main(String[] args) throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend().version(new Version()));
    System.out.println(server.bindAndGetConnectionString());
    while (System.in.read() != -1) {}
    server.shutdownNow();
  }

  /** The driver talks to MongoDB 4.4 (wire version 9) and newer; the server knows the commands used here, but names an older one. */
  private static final class Version implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(4, 4, 0);
    }

    @Override
    public int getWireVersion() {
      return 9;
    }
  }
}
