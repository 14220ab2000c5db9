import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** A connector with as many tasks as it may have, none of which has anything to do. */
public class IdleSource extends SourceConnector {
  private Map<String, String> settings;

  @Override
  public void start(Map<String, String> settings) {
    this.settings = settings;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int most) {
    return Collections.nCopies(most, settings);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return Idle.class;
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void stop() {}

  public static class Idle extends SourceTask {
    @Override
    public void start(Map<String, String> settings) {}

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
      Thread.sleep(100);
      return null;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public void stop() {}
  }
}
