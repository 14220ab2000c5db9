use std::str::FromStr;

/// When a window's result is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emission {
    /// With each flush, for the keys that changed since the last: the last value is the final one.
    #[default]
    Updates,
    /// Once, with the flush after the window closed. A window that no later record closes stays open over restarts
    /// until its partition goes on or the input is declared at its end.
    Final,
}

impl FromStr for Emission {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "updates" => Ok(Self::Updates),
            "final" => Ok(Self::Final),
            _ => Err(format!("unknown emission `{name}`: use updates or final")),
        }
    }
}
