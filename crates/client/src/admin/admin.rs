use std::time::{Duration, Instant};

use groma_session::cluster::Target;
use groma_session::net::{Call, CallError, Reply, Sent};
use groma_wire::{ErrorCode, Reaction, Request};

use super::mind::AdminMind;
use crate::error::refused;
use crate::shell::Shell;
use crate::{ClientConfig, ClientError};

/// Looks at and changes topics, groups and offsets of any Kafka.
#[derive(Debug)]
pub struct Admin {
    pub(super) shell: Shell<AdminMind>,
    pub(super) settings: ClientConfig,
}

impl Admin {
    /// An admin client, once a broker has answered.
    ///
    /// # Errors
    /// `Unreachable` after `bootstrap_timeout`; `Config` for an address that cannot be read.
    pub async fn connect(cluster: &ClientConfig) -> Result<Self, ClientError> {
        crate::config::check_client(cluster)?;
        let shell = Shell::start(AdminMind::new(cluster), cluster.max_frame_bytes);
        shell.with(|mind, now| mind.cluster.start(now));
        shell.wait_for(|mind, _| crate::error::contacted(cluster, mind.cluster.contact())).await?;
        Ok(Self { shell, settings: cluster.clone() })
    }

    /// One call, not repeated.
    pub(super) async fn once<R>(&self, target: Target, request: R) -> Result<R::Response, CallError>
    where
        R: Request + Into<Call>,
        R::Response: TryFrom<Reply, Error = Reply>,
    {
        let call = request.into();
        let api = call.api();
        let answer = self.shell.with(|mind, now| mind.call(now, target, call));
        let reply = answer.await.unwrap_or_else(|_| {
            Err(CallError::Disconnected { cause: "the client is closed".to_owned(), sent: Sent::No })
        })?;
        reply
            .and_then(|reply| R::Response::try_from(reply).ok())
            .ok_or_else(|| CallError::Malformed(format!("{} was answered by something else", api.name())))
    }

    /// Calls until it works, fails for good, or the request timeout has passed. `judge` says what an answer means.
    pub(super) async fn retry<R, T>(
        &self,
        what: &str,
        target: Target,
        request: R,
        judge: impl FnMut(R::Response) -> Result<T, Refusal>,
    ) -> Result<T, ClientError>
    where
        R: Request + Into<Call> + Clone,
        R::Response: TryFrom<Reply, Error = Reply>,
    {
        let mut judge = judge;
        let mut patience = self.patience(what);
        loop {
            let refusal = match self.once(target, request.clone()).await {
                Ok(response) => match judge(response) {
                    Ok(value) => return Ok(value),
                    Err(refusal) => refusal,
                },
                Err(error) => Refusal::of_call(error),
            };
            patience.bear(self, refusal).await?;
        }
    }

    /// A bounded series of attempts at `what`.
    pub(super) fn patience(&self, what: &str) -> Patience {
        let timeout = Duration::from_nanos(self.settings.request_timeout.0);
        Patience { what: what.to_owned(), until: Instant::now() + timeout, failures: 0 }
    }
}

/// Why an attempt did not work.
#[derive(Clone, Debug)]
pub(super) enum Refusal {
    /// The cluster said so.
    Code(ErrorCode, String),
    /// There was no answer.
    Call(CallError),
}

/// A bounded series of attempts.
#[derive(Debug)]
pub(super) struct Patience {
    what: String,
    until: Instant,
    failures: u32,
}

impl Refusal {
    /// The refusal in an answer's error code, if it has one.
    pub(super) fn check(code: i16, message: Option<&str>) -> Result<(), Self> {
        let detail = message.filter(|m| !m.is_empty()).map(|m| format!(": {m}")).unwrap_or_default();
        ErrorCode::check(code).map_err(|code| Self::Code(code, detail))
    }

    pub(super) const fn of_call(error: CallError) -> Self {
        Self::Call(error)
    }

    const fn is_passing(&self) -> bool {
        match self {
            Self::Code(code, _) => matches!(code.reaction(), Reaction::Retry | Reaction::Refresh),
            Self::Call(error) => matches!(error, CallError::Disconnected { .. } | CallError::TimedOut { .. }),
        }
    }
}

impl Patience {
    /// Waits before the next attempt.
    ///
    /// # Errors
    /// When the refusal is for good, or the time is up.
    pub(super) async fn bear(&mut self, admin: &Admin, refusal: Refusal) -> Result<(), ClientError> {
        if !refusal.is_passing() || self.until <= Instant::now() {
            return Err(self.error(admin, refusal));
        }
        self.failures += 1;
        let wait = admin.shell.with(|mind, now| {
            mind.cluster.refresh(now);
            mind.cluster.retry_wait(self.failures)
        });
        tokio::time::sleep(Duration::from_nanos(wait.0)).await;
        Ok(())
    }

    fn error(&self, admin: &Admin, refusal: Refusal) -> ClientError {
        match refusal {
            Refusal::Code(code, detail) => refused(&self.what, code, detail),
            Refusal::Call(error) => ClientError::of_call(&self.what, admin.settings.request_timeout, error),
        }
    }
}
