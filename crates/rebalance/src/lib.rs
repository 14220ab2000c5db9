//! Incremental cooperative rebalancing: group membership and the sharing out of any resource, as pure state machines.
