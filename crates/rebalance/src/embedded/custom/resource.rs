use std::borrow::Cow;
use std::fmt::Debug;

/// Something that is shared out among members: whatever an application can name.
///
/// ```
/// use std::borrow::Cow;
///
/// use groma_rebalance::embedded::custom::Resource;
///
/// #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
/// struct Camera(u16);
///
/// impl Resource for Camera {
///     fn name(&self) -> Cow<'_, str> {
///         Cow::Owned(self.0.to_string())
///     }
///
///     fn from_name(name: &str) -> Option<Self> {
///         name.parse().ok().map(Self)
///     }
/// }
/// ```
pub trait Resource: Clone + Debug + Ord + Send + Sync + 'static {
    /// What members call it when they speak to each other, at most 32,767 bytes. Resources are the same if and only if
    /// their names are.
    fn name(&self) -> Cow<'_, str>;

    /// The resource of that name; none if no resource could have it.
    fn from_name(name: &str) -> Option<Self>;

    /// Its kind: members may ask for some kinds only.
    fn kind(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    /// What it costs to run and to move it, in units of a light one; where state has to be restored, say by the size of
    /// that. The assignor `weighted` and the policy `incremental` (`rebalance.cost-per-round`) heed it.
    fn cost(&self) -> u32 {
        1
    }
}

impl Resource for String {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }

    fn from_name(name: &str) -> Option<Self> {
        Some(name.to_owned())
    }
}

/// Resources by their numbers.
impl Resource for u64 {
    fn name(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }

    fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}
