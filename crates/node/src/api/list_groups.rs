use groma_wire::messages::{ListGroupsRequest, ListGroupsResponse, ListedGroup};

use crate::call::Call;
use crate::node::Node;

/// The only kind of group there is here.
const CLASSIC: &str = "classic";

impl Node {
    pub(super) fn list_groups(&mut self, call: Call, request: ListGroupsRequest) {
        let wanted = |filter: &[String], value: &str| {
            filter.is_empty() || filter.iter().any(|wanted| wanted.eq_ignore_ascii_case(value))
        };
        let groups = self.groups.iter().filter_map(|(id, known)| {
            let view = known.group.view();
            let state = view.state.name();
            let listed = wanted(&request.states_filter, state) && wanted(&request.types_filter, CLASSIC);
            listed.then(|| ListedGroup {
                group_id: id.0.clone(),
                protocol_type: view.protocol_type.unwrap_or_default(),
                group_state: state.to_owned(),
                group_type: CLASSIC.to_owned(),
            })
        });
        let response = ListGroupsResponse { groups: groups.collect(), ..Default::default() };
        self.answer(call, &response);
    }
}
