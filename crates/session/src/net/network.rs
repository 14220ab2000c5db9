use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use bytes::Bytes;
use groma_model::{Span, Time};
use groma_wire::messages::{ApiVersionsRequest, ApiVersionsResponse};
use groma_wire::{RequestHeader, ResponseHeader, Segment};

use super::link::{Flying, Link, LinkState, Queued};
use super::{Api, Backoff, Call, Ending, Jitter, LinkId, Peer, Reply, Versions};
use crate::ClientSettings;

/// All connections of a session.
#[derive(Clone, Debug)]
pub struct Network {
    settings: ClientSettings,
    jitter: Jitter,
    links: BTreeMap<Peer, Link>,
    names: BTreeMap<LinkId, Peer>,
    next_link: u64,
    next_correlation: i32,
    outputs: VecDeque<NetOutput>,
    answers: VecDeque<Answer>,
}

/// Names a call; chosen by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u64);

/// What happens to connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetInput {
    /// A connection asked for is open.
    Opened(LinkId),
    /// A connection could not be opened, or ended; what the system said.
    Closed(LinkId, String),
    /// What arrived is no frame, and the connection was closed; why it is none.
    Garbled(LinkId, String),
    /// A frame arrived, without its size.
    Frame(LinkId, Bytes),
    /// Time passed.
    Tick,
}

/// What is to be done about connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetOutput {
    /// Open a connection; answer with `Opened` or `Closed`.
    Open(LinkId, Peer),
    /// Write these bytes in order.
    Write(LinkId, Vec<Bytes>),
    /// Close it; nothing is to be answered.
    Shut(LinkId),
}

/// How a call ended.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which call.
    pub id: CallId,
    /// The broker's answer; none for a call that has no answer (Produce with acks 0).
    pub result: Result<Option<Reply>, CallError>,
}

/// Whether a request had been handed to the socket, so that the broker may have acted on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sent {
    /// It had not.
    No,
    /// It had.
    Yes,
}

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CallError {
    /// The connection ended, or could not be opened. The broker may have acted on the call when it was `sent`.
    Disconnected {
        /// What the system said.
        cause: String,
        /// Whether the request had been handed to the socket.
        sent: Sent,
    },
    /// No answer in time; the connection was closed.
    TimedOut {
        /// Whether the request had been handed to the socket.
        sent: Sent,
    },
    /// The broker speaks no version of this API that we do.
    Unsupported(Api),
    /// The answer is not what the protocol says.
    Malformed(String),
}

impl Network {
    /// No connections yet.
    pub fn new(settings: &ClientSettings) -> Self {
        Self {
            settings: settings.clone(),
            jitter: Jitter::new(settings.seed),
            links: BTreeMap::new(),
            names: BTreeMap::new(),
            next_link: 0,
            next_correlation: 0,
            outputs: VecDeque::new(),
            answers: VecDeque::new(),
        }
    }

    /// Sends a call as soon as there is a connection; it ends in an [`Answer`] within `timeout`.
    pub fn call(&mut self, now: Time, peer: &Peer, queued: (CallId, Call), timeout: Span) {
        let (id, call) = queued;
        let link = self.links.entry(peer.clone()).or_insert_with(Link::new);
        link.queue.push_back(Queued { id, call, until: now + timeout });
        self.advance(now, peer);
    }

    /// Takes in what happened.
    pub fn handle(&mut self, now: Time, input: NetInput) {
        match input {
            NetInput::Opened(id) => self.on_opened(now, id),
            NetInput::Closed(id, cause) => self.on_closed(now, id, cause),
            NetInput::Garbled(id, offence) => self.end(now, id, Ending::Foreign(offence)),
            NetInput::Frame(id, frame) => self.on_frame(now, id, frame),
            NetInput::Tick => self.on_tick(now),
        }
    }

    /// What is to be done.
    pub fn poll(&mut self) -> Option<NetOutput> {
        self.outputs.pop_front()
    }

    /// The next call that ended.
    pub fn poll_answer(&mut self) -> Option<Answer> {
        self.answers.pop_front()
    }

    /// When to hand in a tick.
    pub fn deadline(&self) -> Option<Time> {
        self.links.values().filter_map(Link::deadline).min()
    }

    /// Calls on this connection that wait or are in flight.
    pub fn load(&self, peer: &Peer) -> usize {
        self.links.get(peer).map_or(0, |link| match &link.state {
            LinkState::Up { flight, .. } => link.queue.len() + flight.len(),
            _ => link.queue.len(),
        })
    }

    /// How many attempts in a row, up to the last one, leave no hope for the next one, see [`Ending::is_certain`].
    pub fn rebuffs(&self, peer: &Peer) -> u32 {
        self.links.get(peer).map_or(0, |link| link.rebuffs)
    }

    /// How the last attempt to reach it ended, or else would end now; none where it was reached, or never sought.
    pub fn ending(&self, now: Time, peer: &Peer) -> Option<Ending> {
        let link = self.links.get(peer)?;
        let waited = |until: Time, patience: Span| Span(patience.0.saturating_sub(until.0.saturating_sub(now.0)));
        link.ending.clone().or_else(|| match link.state {
            LinkState::Down { .. } | LinkState::Up { .. } => None,
            LinkState::Opening { until, .. } => {
                Some(Ending::Unreached { after: waited(until, self.settings.connect_timeout) })
            }
            LinkState::Asking { until, .. } => {
                Some(Ending::Silent { after: waited(until, self.settings.handshake_timeout) })
            }
        })
    }

    fn on_opened(&mut self, now: Time, id: LinkId) {
        let Some(link) = self.names.get(&id).and_then(|peer| self.links.get_mut(peer)) else { return };
        if let LinkState::Opening { .. } = link.state {
            link.state = LinkState::Asking { id, version: ASK_VERSION, until: now + self.settings.handshake_timeout };
            self.ask_versions(id, ASK_VERSION);
        }
    }

    fn ask_versions(&mut self, id: LinkId, version: i16) {
        let request = ApiVersionsRequest {
            client_software_name: "groma".to_owned(),
            client_software_version: env!("CARGO_PKG_VERSION").to_owned(),
            ..ApiVersionsRequest::default()
        };
        let header = self.header(Api::ApiVersions, version, 0);
        if let Ok(writer) = Call::ApiVersions(request).frame(&header) {
            self.outputs.push_back(NetOutput::Write(id, parts(writer.into_parts())));
        }
    }

    fn on_frame(&mut self, now: Time, id: LinkId, frame: Bytes) {
        let Some(peer) = self.names.get(&id).cloned() else { return };
        let Some(link) = self.links.get_mut(&peer) else { return };
        match &mut link.state {
            LinkState::Asking { version, .. } => {
                let version = *version;
                self.on_versions(now, &peer, frame, version);
            }
            LinkState::Up { flight, .. } => {
                let Some(oldest) = flight.pop_front() else { return self.offend(now, &peer, "an answer to nothing") };
                self.on_answer(now, &peer, oldest, frame);
            }
            LinkState::Down { .. } | LinkState::Opening { .. } => {}
        }
    }

    fn on_versions(&mut self, now: Time, peer: &Peer, frame: Bytes, version: i16) {
        match read_versions(frame, version) {
            Ok(Some(versions)) => {
                let Some(link) = self.links.get_mut(peer) else { return };
                let Some(id) = link.id() else { return };
                (link.failures, link.rebuffs, link.ending) = (0, 0, None);
                link.state = LinkState::Up { id, versions, flight: VecDeque::new() };
                self.advance(now, peer);
            }
            Ok(None) if version > 0 => {
                let Some(link) = self.links.get_mut(peer) else { return };
                let Some(id) = link.id() else { return };
                link.state = LinkState::Asking { id, version: 0, until: now + self.settings.handshake_timeout };
                self.ask_versions(id, 0);
            }
            Ok(None) => self.offend(now, peer, "no version of ApiVersions in common"),
            Err(offence) => self.offend(now, peer, &offence),
        }
    }

    fn on_answer(&mut self, now: Time, peer: &Peer, flying: Flying, frame: Bytes) {
        let matches = ResponseHeader::correlation_id(&frame).is_ok_and(|c| c == flying.correlation);
        let result = match matches {
            true => flying.api.open(frame, flying.version).map_err(|e| e.to_string()),
            false => Err("an answer to another request".to_owned()),
        };
        match result {
            Ok(reply) => self.answers.push_back(Answer { id: flying.id, result: Ok(Some(reply)) }),
            Err(offence) => {
                let error = CallError::Malformed(format!("{}: {offence}", flying.api.name()));
                self.answers.push_back(Answer { id: flying.id, result: Err(error) });
                self.offend(now, peer, &offence);
            }
        }
    }

    /// Closes a connection over which something came that the protocol does not know, or nothing in time.
    fn offend(&mut self, now: Time, peer: &Peer, offence: &str) {
        self.shut(now, peer, Ending::Foreign(offence.to_owned()));
    }

    fn shut(&mut self, now: Time, peer: &Peer, ending: Ending) {
        let Some(id) = self.links.get(peer).and_then(Link::id) else { return };
        self.outputs.push_back(NetOutput::Shut(id));
        self.end(now, id, ending);
    }

    fn on_closed(&mut self, now: Time, id: LinkId, cause: String) {
        let link = self.names.get(&id).and_then(|peer| self.links.get(peer));
        let opened = link.is_some_and(|link| !matches!(link.state, LinkState::Opening { .. }));
        self.end(now, id, if opened { Ending::Closed(cause) } else { Ending::Unopened(cause) });
    }

    /// A connection is no more. Where it was up, how it ended is for the calls in flight to know and says nothing of the
    /// next attempt.
    fn end(&mut self, now: Time, id: LinkId, ending: Ending) {
        let Some(peer) = self.names.remove(&id) else { return };
        let Some(link) = self.links.get_mut(&peer) else { return };
        link.failures = link.failures.saturating_add(1);
        let backoff = Backoff { base: self.settings.reconnect_backoff, max: self.settings.reconnect_backoff_max };
        let not_before = now + backoff.wait(link.failures, &mut self.jitter);
        let old = std::mem::replace(&mut link.state, LinkState::Down { not_before });
        let flight = if let LinkState::Up { flight, .. } = old { Some(flight) } else { None };
        let cause = match (&flight, &ending) {
            (Some(_), Ending::Closed(cause) | Ending::Foreign(cause)) => format!("{}: {cause}", peer.address),
            _ => format!("{}: {ending}", peer.address),
        };
        if flight.is_none() {
            link.rebuffs = if ending.is_certain() { link.rebuffs.saturating_add(1) } else { 0 };
            link.ending = Some(ending);
        }
        self.answers.extend(flight.into_iter().flatten().map(|flying| lost(flying.id, &cause, Sent::Yes)));
        self.answers.extend(link.queue.drain(..).map(|queued| lost(queued.id, &cause, Sent::No)));
    }

    fn on_tick(&mut self, now: Time) {
        let due = |link: &Link| link.deadline().is_some_and(|at| at <= now);
        let peers: Vec<Peer> = self.links.iter().filter(|(_, link)| due(link)).map(|(peer, _)| peer.clone()).collect();
        for peer in peers {
            self.expire(now, &peer);
            self.advance(now, &peer);
        }
    }

    fn expire(&mut self, now: Time, peer: &Peer) {
        let Some(link) = self.links.get_mut(peer) else { return };
        let (late, kept) = link.queue.drain(..).partition::<VecDeque<_>, _>(|q| q.until <= now);
        link.queue = kept;
        self.answers.extend(late.into_iter().map(|q| timed_out(q.id, Sent::No)));
        let ending = match &mut link.state {
            LinkState::Down { .. } => return,
            LinkState::Opening { until, .. } => {
                (*until <= now).then_some(Ending::Unreached { after: self.settings.connect_timeout })
            }
            LinkState::Asking { until, .. } => {
                (*until <= now).then_some(Ending::Silent { after: self.settings.handshake_timeout })
            }
            LinkState::Up { flight, .. } => flight.iter().any(|f| f.until <= now).then(|| {
                let (late, kept) = flight.drain(..).partition::<VecDeque<_>, _>(|f| f.until <= now);
                *flight = kept;
                self.answers.extend(late.into_iter().map(|f| timed_out(f.id, Sent::Yes)));
                Ending::Closed("a request was not answered in time".to_owned())
            }),
        };
        if let Some(ending) = ending {
            self.shut(now, peer, ending);
        }
    }

    /// Opens the connection when something waits for it, and sends what waits when it is up.
    fn advance(&mut self, now: Time, peer: &Peer) {
        let Some(link) = self.links.get_mut(peer) else { return };
        match link.state {
            LinkState::Down { not_before } if not_before <= now && !link.queue.is_empty() => {
                let id = LinkId(self.next_link);
                self.next_link += 1;
                link.state = LinkState::Opening { id, until: now + self.settings.connect_timeout };
                self.names.insert(id, peer.clone());
                self.outputs.push_back(NetOutput::Open(id, peer.clone()));
            }
            LinkState::Up { id, .. } => {
                while let Some(queued) = self.links.get_mut(peer).and_then(|link| link.queue.pop_front()) {
                    self.send(peer, id, queued);
                }
            }
            LinkState::Down { .. } | LinkState::Opening { .. } | LinkState::Asking { .. } => {}
        }
    }

    fn send(&mut self, peer: &Peer, id: LinkId, queued: Queued) {
        let api = queued.call.api();
        let correlation = self.next_correlation;
        let Some(LinkState::Up { versions, flight, .. }) = self.links.get_mut(peer).map(|link| &mut link.state) else {
            return;
        };
        let Some(version) = versions.choose(api) else {
            self.answers.push_back(Answer { id: queued.id, result: Err(CallError::Unsupported(api)) });
            return;
        };
        let silent = matches!(&queued.call, Call::Produce(produce) if produce.acks == 0);
        if !silent {
            flight.push_back(Flying { id: queued.id, correlation, api, version, until: queued.until });
        }
        self.next_correlation = self.next_correlation.wrapping_add(1);
        match queued.call.frame(&self.header(api, version, correlation)) {
            Ok(writer) => {
                self.outputs.push_back(NetOutput::Write(id, parts(writer.into_parts())));
                if silent {
                    self.answers.push_back(Answer { id: queued.id, result: Ok(None) });
                }
            }
            Err(error) => self.refuse(peer, queued.id, format!("{}: {error}", api.name())),
        }
    }

    /// Takes back a call whose request cannot be written.
    fn refuse(&mut self, peer: &Peer, id: CallId, offence: String) {
        if let Some(LinkState::Up { flight, .. }) = self.links.get_mut(peer).map(|link| &mut link.state) {
            flight.retain(|f| f.id != id);
        }
        self.answers.push_back(Answer { id, result: Err(CallError::Malformed(offence)) });
    }

    fn header(&self, api: Api, version: i16, correlation_id: i32) -> RequestHeader {
        RequestHeader {
            api_key: api.key().code(),
            api_version: version,
            correlation_id,
            client_id: Some(self.settings.client_id.clone()),
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disconnected { cause, .. } => f.write_str(cause),
            Self::TimedOut { .. } => f.write_str("no answer in time"),
            Self::Unsupported(api) => write!(f, "the broker offers no usable version of {}", api.name()),
            Self::Malformed(offence) => write!(f, "malformed answer: {offence}"),
        }
    }
}

fn parts(segments: Vec<Segment>) -> Vec<Bytes> {
    segments
        .into_iter()
        .filter_map(|segment| match segment {
            Segment::Inline(bytes) | Segment::Shared(bytes) => Some(bytes),
            Segment::External { .. } => None,
        })
        .collect()
}

/// The versions offered, or none when the broker does not know this version of the question.
fn read_versions(frame: Bytes, version: i16) -> Result<Option<Versions>, String> {
    let code = frame.get(4..6).ok_or("a short answer to ApiVersions")?;
    if code == UNSUPPORTED_VERSION {
        return Ok(None);
    }
    let reply = Api::ApiVersions.open(frame, version).map_err(|e| e.to_string())?;
    let response = ApiVersionsResponse::try_from(reply).map_err(|_| "not an answer to ApiVersions")?;
    Ok(Some(Versions::new(&response)))
}

fn lost(id: CallId, cause: &str, sent: Sent) -> Answer {
    Answer { id, result: Err(CallError::Disconnected { cause: cause.to_owned(), sent }) }
}

const fn timed_out(id: CallId, sent: Sent) -> Answer {
    Answer { id, result: Err(CallError::TimedOut { sent }) }
}

/// The version of ApiVersions asked first: the oldest that carries the client's name.
const ASK_VERSION: i16 = 3;
const UNSUPPORTED_VERSION: [u8; 2] = 35_i16.to_be_bytes();
