use std::collections::BTreeMap;

use super::CatchUp;

/// When a member at which tasks warm up asks for a round, so that they need not wait for the probing interval.
///
/// It asks once all of them are half as far behind as is acceptable, because tasks go on while a round is made. If the
/// leader still sees them too far behind, it asks again each time that is halved: at most `log2(acceptable) + 2` times.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    tasks: Vec<String>,
    /// How far behind they were when it asked last.
    behind: Option<u64>,
}

impl Ask {
    /// Takes in what warms up and by how many records that is behind; whether a round is to be asked for now.
    pub fn is_due(&mut self, warming: &BTreeMap<String, u64>, settings: &CatchUp) -> bool {
        if !self.tasks.iter().eq(warming.keys()) {
            *self = Self { tasks: warming.keys().cloned().collect(), behind: None };
        }
        let Some(most) = warming.values().copied().max() else { return false };
        let near = match self.behind {
            None => most <= settings.acceptable / 2,
            Some(before) => most <= before / 2 && most < before,
        };
        if near {
            self.behind = Some(most);
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warming(tasks: &[(&str, u64)]) -> BTreeMap<String, u64> {
        tasks.iter().map(|(task, behind)| ((*task).to_owned(), *behind)).collect()
    }

    #[test]
    fn it_asks_when_the_last_is_near_and_again_when_that_is_halved() {
        let (mut ask, settings) = (Ask::default(), CatchUp { acceptable: 100, ..CatchUp::default() });
        let due: Vec<bool> =
            [[900, 10], [51, 10], [50, 10], [30, 40], [25, 0], [13, 2], [12, 2], [0, 0], [9, 0], [0, 0]]
                .map(|[one, two]| ask.is_due(&warming(&[("one", one), ("two", two)]), &settings))
                .into();
        assert_eq!(due, [false, false, true, false, true, false, true, true, false, false]);
        assert!(ask.is_due(&warming(&[("two", 40)]), &settings), "other tasks are asked for anew");
        assert!(!ask.is_due(&warming(&[]), &settings));
    }
}
