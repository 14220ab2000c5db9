use groma_rebalance::embedded::custom::{Custom, Resource};

use super::{Driver, Membership};
use crate::settings::{ClientSettings, ResourceGroupSettings};

/// A member of a group that shares out an application's own resources.
pub type ResourceGroup<R> = Membership<Custom<R>>;

impl<R: Resource> Membership<Custom<R>> {
    /// A member that has not entered its group yet.
    pub fn new(client: &ClientSettings, settings: ResourceGroupSettings) -> Self {
        let config = settings.member(client);
        let embedded = Custom::new(settings.protocol_type, settings.strategies, settings.shape);
        let mut driver = Driver::new(settings.group, config, embedded);
        driver.detail = settings.detail;
        Self::of(client, driver, settings.interest)
    }
}
