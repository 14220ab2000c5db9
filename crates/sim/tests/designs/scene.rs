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
    /// The group before anything happens: its members joined 10 ms apart, for all topics; those whose
    /// names begin with S are static ones.
    pub(crate) fn opened(&self, settings: Settings) -> Cluster {
        let mut cluster = Cluster::new(settings);
        for (topic, partitions) in self.topics {
            cluster.topic(topic, *partitions);
        }
        for name in self.members {
            if name.starts_with('S') {
                cluster.join_static(name)
            } else {
                cluster.join(name)
            }
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

pub(crate) const LEADER_BOUNCES: Scene = Scene {
    name: "leader bounces",
    topics: &[("T", 4)],
    members: &["A", "B", "C"],
    act: |cluster| {
        cluster.leave("A");
        cluster.restart_after("A", Span::from_secs(5));
    },
};

/// D dies; while it is awaited one leader after another leaves.
pub(crate) const LEADERS_CHANGE: Scene = Scene {
    name: "several leader changes",
    topics: &[("T", 5)],
    members: &["A", "B", "C", "D", "E"],
    act: |cluster| {
        cluster.leave("D");
        cluster.run_for(Span::from_secs(10));
        cluster.leave("A");
        cluster.run_for(Span::from_secs(10));
        cluster.leave("B");
    },
};

/// A static member dies; while it is awaited the leader leaves just as A comes.
pub(crate) const LEADER_REPLACED: Scene = Scene {
    name: "the leader leaves as another comes",
    topics: &[("T", 6)],
    members: &["B", "C", "SD"],
    act: |cluster| {
        cluster.crash("SD");
        cluster.run_for(Span::from_secs(30));
        cluster.join("A");
        cluster.leave("B");
    },
};

/// C dies; while it is awaited the leader is killed and comes back as a new process, which leads on without a memory: the
/// partition that is added makes it plan before the time is up.
pub(crate) const BRAND_NEW_LEADER: Scene = Scene {
    name: "a brand-new leader inside the wait",
    topics: &[("T", 6)],
    members: &["SA", "B", "C"],
    act: |cluster| {
        cluster.crash("C");
        cluster.run_for(Span::from_secs(30));
        cluster.crash("SA");
        cluster.restart_after("SA", Span::from_secs(1));
        cluster.run_for(Span::from_secs(10));
        cluster.topic("T", 7);
    },
};

/// A static member dies, is away for longer than its session, and comes back.
pub(crate) const STATIC_RETURNS: Scene = Scene {
    name: "a static member returns",
    topics: &[("T", 6)],
    members: &["A", "SB", "C"],
    act: |cluster| {
        cluster.crash("SB");
        cluster.restart_after("SB", Span::from_secs(30));
        cluster.run_for(Span::from_secs(20));
        cluster.join("E");
    },
};

/// A static member dies and does not come back; somebody else comes while it is awaited.
pub(crate) const STATIC_AWAITED: Scene = Scene {
    name: "somebody comes while a static member is awaited",
    topics: &[("T", 8)],
    members: &["A", "B", "SC"],
    act: |cluster| {
        cluster.crash("SC");
        cluster.run_for(Span::from_secs(20));
        cluster.join("E");
    },
};

pub(crate) const TWO_FOR_ONE: Scene = Scene {
    name: "two come for one that left",
    topics: &[("T", 8)],
    members: &["A", "B", "C", "D"],
    act: |cluster| {
        cluster.leave("D");
        cluster.run_for(Span::from_secs(5));
        cluster.join("E");
        cluster.join("F");
    },
};

/// C and D die together; a process that is called neither comes.
pub(crate) const ONE_OF_TWO: Scene = Scene {
    name: "one comes for two that died",
    topics: &[("T", 8)],
    members: &["A", "B", "C", "D"],
    act: |cluster| {
        cluster.crash("C");
        cluster.crash("D");
        cluster.run_for(Span::from_secs(20));
        cluster.join("E");
    },
};

/// The leader dies with another; a process that is called neither comes, and later one more.
pub(crate) const LEADER_AND_ANOTHER: Scene = Scene {
    name: "one comes for two that died, of which one has led",
    topics: &[("T", 8)],
    members: &["A", "B", "C", "D"],
    act: |cluster| {
        cluster.crash("A");
        cluster.crash("B");
        cluster.run_for(Span::from_secs(5));
        cluster.join("E");
        cluster.run_for(Span::from_secs(25));
        cluster.join("F");
    },
};

pub(crate) const IDLE: Scene = Scene {
    name: "more members than resources",
    topics: &[("T", 2)],
    members: &["A", "B", "C"],
    act: |cluster| cluster.leave("B"),
};

pub(crate) const SCALE_UP: Scene =
    Scene { name: "scale up", topics: &[("T", 9)], members: &["A", "B"], act: |cluster| cluster.join("C") };

pub(crate) const SCALE_UP_TWICE: Scene = Scene {
    name: "scale up twice",
    topics: &[("T", 9)],
    members: &["A", "B"],
    act: |cluster| {
        cluster.join("C");
        cluster.run_for(Span::from_millis(2500));
        cluster.join("D");
    },
};

pub(crate) const SCALE_UP_NEW_LEADER: Scene = Scene {
    name: "the leader leaves while the group is scaled up",
    topics: &[("T", 12)],
    members: &["A", "B"],
    act: |cluster| {
        cluster.join("C");
        cluster.run_for(Span::from_millis(1500));
        cluster.leave("A");
    },
};

/// As if the tasks of a connector were scaled down: what is left is with A alone.
pub(crate) const SCALE_DOWN_TASKS: Scene = Scene {
    name: "tasks scaled down",
    topics: &[("T", 8), ("U", 1)],
    members: &["A"],
    act: |cluster| {
        cluster.join("B");
        cluster.run_for(Span::from_secs(30));
        cluster.topic("T", 5);
    },
};

pub(crate) const SCALE_UP_AND_DEATH: Scene = Scene {
    name: "a member dies while the group is scaled up",
    topics: &[("T", 9)],
    members: &["A", "B", "C"],
    act: |cluster| {
        cluster.crash("B");
        cluster.run_for(Span::from_millis(30_000));
        cluster.restart("B");
        cluster.run_for(Span::from_secs(20));
        cluster.join("D");
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
    LEADER_BOUNCES,
    LEADERS_CHANGE,
    LEADER_REPLACED,
    BRAND_NEW_LEADER,
    STATIC_RETURNS,
    STATIC_AWAITED,
    TWO_FOR_ONE,
    ONE_OF_TWO,
    LEADER_AND_ANOTHER,
    IDLE,
    SCALE_UP,
    SCALE_UP_TWICE,
    SCALE_UP_NEW_LEADER,
    SCALE_DOWN_TASKS,
    SCALE_UP_AND_DEATH,
];
