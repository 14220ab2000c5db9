import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.PartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;

/**
 * Times Kafka's assignors on groups as its own benchmarks make them. Each line on stdin is a cell, e.g.
 * "cooperative-sticky assign-unequal join 1000 10000 100 0.3": assignor, interests, event, members, partitions, topics
 * and seconds to warm up and to measure; each line on stdout is its median in milliseconds.
 */
public final class AssignGrid {
    private static final int PARTS = 5;
    private static final int RUNS_MIN = 5;
    private static final int RUNS_MAX = 1 << 20;
    /** Slower work is run once to warm up and once to measure. */
    private static final double SLOW_MS = 1000;

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            Cell cell = new Cell(words);
            Supplier<Object> work = words[0].equals("cooperative-sticky") ? client(cell) : server(cell, words[0]);
            System.out.println(median(work, Double.parseDouble(words[6])));
        }
    }

    private record Cell(boolean unequal, boolean join, int members, int partitions, int topics) {
        Cell(String[] words) {
            this(words[1].equals("assign-unequal"), words[2].equals("join"), Integer.parseInt(words[3]),
                Integer.parseInt(words[4]), Integer.parseInt(words[5]));
        }

        int perTopic() {
            return partitions / topics;
        }

        /** Who is there before the event. */
        int first() {
            return join ? members - 1 : members;
        }

        <T> List<T> asked(int member, List<T> all) {
            if (!unequal) {
                return all;
            }
            int size = (topics + PARTS - 1) / PARTS;
            int part = member / ((members + PARTS - 1) / PARTS);
            return all.subList(Math.min(part * size, topics), Math.min((part + 1) * size, topics));
        }
    }

    private static Supplier<Object> client(Cell cell) {
        CooperativeStickyAssignor assignor = new CooperativeStickyAssignor();
        List<String> topics = new ArrayList<>();
        List<PartitionInfo> infos = new ArrayList<>();
        Node[] nodes = {new Node(0, "", 0), new Node(1, "", 1)};
        for (int t = 0; t < cell.topics(); t++) {
            topics.add(String.format("topic-%04d", t));
            for (int p = 0; p < cell.perTopic(); p++) {
                infos.add(new PartitionInfo(topics.get(t), p, nodes[0], nodes, nodes));
            }
        }
        Cluster cluster = new Cluster("", Arrays.asList(nodes), infos, Set.of(), Set.of());
        Map<Integer, List<String>> parts = new HashMap<>();
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (int m = 0; m < cell.first(); m++) {
            subscriptions.put(name(m), new Subscription(part(cell, m, topics, parts), null, List.of(), -1, Optional.empty()));
        }
        if (cell.join()) {
            var given = assignor.assign(cluster, new GroupSubscription(subscriptions)).groupAssignment();
            for (int m = 0; m < cell.first(); m++) {
                subscriptions.put(name(m), new Subscription(part(cell, m, topics, parts), null, given.get(name(m)).partitions(), 1, Optional.empty()));
            }
            int last = cell.members() - 1;
            subscriptions.put(name(last), new Subscription(part(cell, last, topics, parts), null, List.of(), -1, Optional.empty()));
        }
        GroupSubscription group = new GroupSubscription(subscriptions);
        return () -> assignor.assign(cluster, group);
    }

    private static Supplier<Object> server(Cell cell, String name) {
        PartitionAssignor assignor = name.equals("uniform") ? new UniformAssignor() : new RangeAssignor();
        List<Uuid> topics = new ArrayList<>();
        for (int t = 0; t < cell.topics(); t++) {
            topics.add(new Uuid(7, t + 1));
        }
        SubscribedTopicDescriber describer = new SubscribedTopicDescriber() {
            @Override
            public int numPartitions(Uuid topic) {
                return cell.perTopic();
            }

            @Override
            public Set<String> racksForPartition(Uuid topic, int partition) {
                return Set.of();
            }
        };
        SubscriptionType type = cell.unequal() ? SubscriptionType.HETEROGENEOUS : SubscriptionType.HOMOGENEOUS;
        Map<Integer, Set<Uuid>> parts = new HashMap<>();
        Map<String, MemberSubscriptionAndAssignmentImpl> members = new HashMap<>();
        for (int m = 0; m < cell.first(); m++) {
            members.put(name(m), member(set(cell, m, topics, parts), Assignment.EMPTY));
        }
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        if (cell.join()) {
            GroupAssignment given = assignor.assign(new GroupSpecImpl(members, type, Map.of()), describer);
            for (int m = 0; m < cell.first(); m++) {
                MemberAssignment held = given.members().get(name(m));
                members.put(name(m), member(set(cell, m, topics, parts), new Assignment(held.partitions())));
                for (Map.Entry<Uuid, Set<Integer>> topic : held.partitions().entrySet()) {
                    for (int partition : topic.getValue()) {
                        owners.computeIfAbsent(topic.getKey(), t -> new HashMap<>()).put(partition, name(m));
                    }
                }
            }
            int last = cell.members() - 1;
            members.put(name(last), member(set(cell, last, topics, parts), Assignment.EMPTY));
        }
        GroupSpecImpl group = new GroupSpecImpl(members, type, owners);
        return () -> assignor.assign(group, describer);
    }

    private static MemberSubscriptionAndAssignmentImpl member(Set<Uuid> topics, Assignment held) {
        return new MemberSubscriptionAndAssignmentImpl(Optional.empty(), Optional.empty(), topics, held);
    }

    private static String name(int member) {
        return String.format("member-%05d", member);
    }

    private static List<String> part(Cell cell, int member, List<String> topics, Map<Integer, List<String>> parts) {
        List<String> asked = cell.asked(member, topics);
        return parts.computeIfAbsent(topics.indexOf(asked.isEmpty() ? "" : asked.get(0)), p -> new ArrayList<>(asked));
    }

    private static Set<Uuid> set(Cell cell, int member, List<Uuid> topics, Map<Integer, Set<Uuid>> parts) {
        List<Uuid> asked = cell.asked(member, topics);
        return parts.computeIfAbsent(asked.isEmpty() ? -1 : topics.indexOf(asked.get(0)), p -> new HashSet<>(asked));
    }

    private static double median(Supplier<Object> work, double seconds) {
        double first = time(work);
        if (first > SLOW_MS) {
            return time(work);
        }
        for (double spent = first; spent < seconds * 1e3; spent += time(work)) { }
        double[] times = new double[RUNS_MAX];
        int runs = 0;
        for (double spent = 0; runs < RUNS_MIN || spent < seconds * 1e3 && runs < RUNS_MAX; spent += times[runs++]) {
            times[runs] = time(work);
        }
        Arrays.sort(times, 0, runs);
        return times[runs / 2];
    }

    private static double time(Supplier<Object> work) {
        long before = System.nanoTime();
        held = work.get();
        return (System.nanoTime() - before) / 1e6;
    }

    /** Keeps the compiler from leaving the work out. */
    private static volatile Object held;
}
