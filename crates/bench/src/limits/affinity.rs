use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};

/// Which cores the instances run on, and which everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Cores of the instances; empty leaves them to the scheduler.
    pub instances: Vec<usize>,
    /// Cores of broker, generators and probe; empty leaves them to the scheduler.
    pub others: Vec<usize>,
}

impl Placement {
    /// Shares out `cores` (the ones this process may use): the last ones, as many as the instances may use together,
    /// to the instances. With nothing left for the rest, nothing is pinned.
    pub fn share(cores: &[usize], instance_cores: f64) -> Self {
        let wanted = (instance_cores.ceil() as usize).max(1);
        if wanted >= cores.len() {
            return Self { instances: Vec::new(), others: Vec::new() };
        }
        let (others, instances) = cores.split_at(cores.len() - wanted);
        Self { instances: instances.to_vec(), others: others.to_vec() }
    }

    /// Whether anything is pinned.
    pub const fn is_pinned(&self) -> bool {
        !self.instances.is_empty()
    }
}

/// The cores this process may use.
pub(crate) fn allowed_cores() -> Vec<usize> {
    let set = sched_getaffinity(None::<Pid>).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect()
}

/// Keeps this thread, and all threads and processes it starts from now on, to `cores`; an empty list changes nothing.
pub fn pin_self(cores: &[usize]) {
    if cores.is_empty() {
        return;
    }
    let mut set = CpuSet::new();
    cores.iter().filter(|core| **core < CpuSet::MAX_CPU).for_each(|core| set.set(*core));
    let _ = sched_setaffinity(None::<Pid>, &set);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_quotas_share_the_last_core() {
        let placement = Placement::share(&[0, 1], 0.2);
        assert_eq!((placement.others, placement.instances), (vec![0], vec![1]));
    }

    #[test]
    fn whole_cores_take_as_many() {
        let placement = Placement::share(&[0, 1, 2, 3], 2.5);
        assert_eq!((placement.others, placement.instances), (vec![0], vec![1, 2, 3]));
    }

    #[test]
    fn with_nothing_left_for_the_rest_nothing_is_pinned() {
        assert!(!Placement::share(&[0, 1], 2.0).is_pinned());
        assert!(!Placement::share(&[0], 0.1).is_pinned());
    }
}
