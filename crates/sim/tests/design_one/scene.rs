use groma_model::Span;
use groma_sim::{Cluster, Settings};

/// What happens to a group that has settled. Every table tells of one, and so does every replay under faults.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) topics: &'static [(&'static str, u32)],
    pub(crate) members: &'static [&'static str],
    pub(crate) act: fn(&mut Cluster),
}

impl Scene {
    /// The group before anything happens: its members joined 10 ms apart, for all topics.
    pub(crate) fn opened(&self, settings: Settings) -> Cluster {
        let mut cluster = Cluster::new(settings);
        for (topic, partitions) in self.topics {
            cluster.topic(topic, *partitions);
        }
        for name in self.members {
            cluster.join(name);
            cluster.run_for(Span::from_millis(10));
        }
        cluster.drive();
        cluster
    }

    /// The group after it all.
    pub(crate) fn played(&self, settings: Settings) -> Cluster {
        let mut cluster = self.opened(settings);
        (self.act)(&mut cluster);
        cluster.drive();
        cluster
    }
}

pub(crate) const JOIN: Scene =
    Scene { name: "join", topics: &[("T", 4)], members: &["A", "B", "C"], act: |cluster| cluster.join("D") };

pub(crate) const LEAVE: Scene =
    Scene { name: "leave", topics: &[("T", 4)], members: &["A", "B", "C", "D"], act: |cluster| cluster.leave("D") };

pub(crate) const DEATH: Scene =
    Scene { name: "death", topics: &[("T", 4)], members: &["A", "B", "C", "D"], act: |cluster| cluster.crash("D") };

pub(crate) const BOUNCE: Scene = Scene {
    name: "bounce",
    topics: &[("T", 4)],
    members: &["A", "B", "C", "D"],
    act: |cluster| {
        cluster.leave("D");
        cluster.restart_after("D", Span::from_secs(3));
    },
};

pub(crate) const QUICK_BOUNCE: Scene = Scene {
    name: "quick bounce",
    topics: &[("T", 4)],
    members: &["A", "B", "C", "D"],
    act: |cluster| {
        cluster.leave("D");
        cluster.restart_after("D", Span::from_millis(200));
    },
};

pub(crate) const LEADER_LEAVES: Scene =
    Scene { name: "leader leaves", topics: &[("T", 4)], members: &["A", "B", "C"], act: |cluster| cluster.leave("A") };

pub(crate) const NEW_LEADER: Scene = Scene {
    name: "new leader",
    topics: &[("T", 4)],
    members: &["A", "B"],
    act: |cluster| {
        cluster.stop_takes("A", Span::from_secs(2));
        cluster.stop_takes("B", Span::from_secs(2));
        cluster.join("C");
        cluster.run_for(Span::from_millis(1600));
        cluster.crash("A");
    },
};

pub(crate) const OTHER_TOPICS: Scene = Scene {
    name: "subscription change",
    topics: &[("T", 2), ("U", 2)],
    members: &["A", "B"],
    act: |cluster| cluster.subscribe("B", &["U"]),
};

pub(crate) const PARTITIONS_ADDED: Scene =
    Scene { name: "partitions added", topics: &[("T", 2)], members: &["A", "B"], act: |cluster| cluster.topic("T", 5) };

pub(crate) const TOPIC_DELETED: Scene = Scene {
    name: "topic deleted",
    topics: &[("T", 2), ("U", 2)],
    members: &["A", "B"],
    act: |cluster| cluster.delete_topic("U"),
};

pub(crate) const TWO_JOIN: Scene = Scene {
    name: "two join at once",
    topics: &[("T", 4)],
    members: &["A", "B"],
    act: |cluster| {
        cluster.join("C");
        cluster.join("D");
    },
};

pub(crate) const LEAVE_AND_JOIN: Scene = Scene {
    name: "one leaves as another joins",
    topics: &[("T", 3)],
    members: &["A", "B", "C"],
    act: |cluster| {
        cluster.leave("C");
        cluster.join("D");
    },
};

pub(crate) const LEAVE_AND_PARTITIONS: Scene = Scene {
    name: "partitions added as one leaves",
    topics: &[("T", 3)],
    members: &["A", "B", "C"],
    act: |cluster| {
        cluster.topic("T", 6);
        cluster.leave("B");
    },
};

pub(crate) const ALL: &[Scene] = &[
    JOIN,
    LEAVE,
    DEATH,
    BOUNCE,
    QUICK_BOUNCE,
    LEADER_LEAVES,
    NEW_LEADER,
    OTHER_TOPICS,
    PARTITIONS_ADDED,
    TOPIC_DELETED,
    TWO_JOIN,
    LEAVE_AND_JOIN,
    LEAVE_AND_PARTITIONS,
];
