use std::net::TcpListener;
use std::time::{Duration, Instant};

use groma_client::{Admin, ClientConfig, ClientError, Producer, ProducerConfig, Span};

use crate::place::run;

fn impatient(bootstrap: &str) -> ClientConfig {
    ClientConfig { bootstrap_timeout: Span::from_millis(400), ..ClientConfig::new(bootstrap) }
}

#[test]
fn a_refused_connection_is_one_sentence_in_bounded_time() {
    run(async {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its address");
        let begun = Instant::now();
        let error = Admin::connect(&impatient(&free.to_string())).await.expect_err("nobody is there");
        assert!(begun.elapsed() < Duration::from_secs(20));
        let text = error.to_string();
        assert!(text.starts_with(&format!("no Kafka answers at {free} (")), "{text}");
        assert!(text.contains("refused") && !text.contains('\n'), "{text}");
    });
}

#[test]
fn where_nobody_can_be_the_patience_is_not_used_up() {
    run(async {
        let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its address");
        // Longer than a name may be, so that no resolver has to be asked.
        let unknown = format!("{}:9092", "x".repeat(64));
        for bootstrap in [closed.to_string(), unknown.clone(), format!("{closed},{unknown}")] {
            let cluster = ClientConfig { bootstrap_timeout: Span::from_secs(3600), ..ClientConfig::new(&bootstrap) };
            let error = Admin::connect(&cluster).await.expect_err("nobody is there");
            assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
        }
    });
}

#[test]
fn a_peer_that_never_answers_is_given_up_too() {
    run(async {
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = silent.local_addr().expect("its address").to_string();
        let error = Producer::connect(&impatient(&address), ProducerConfig::default()).await.expect_err("silence");
        assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
    });
}

#[test]
fn a_peer_that_speaks_something_else_is_told_apart() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address").to_string();
        let server = std::thread::spawn(move || {
            use std::io::{Read, Write};
            while let Ok((mut stream, _)) = listener.accept() {
                let mut asked = [0; 8];
                if stream.read(&mut asked).is_err() || stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").is_err() {
                    return;
                }
            }
        });
        let error = Admin::connect(&impatient(&address)).await.expect_err("not Kafka");
        let text = error.to_string();
        assert!(text.contains("limit") || text.contains("does not speak Kafka"), "{text}");
        drop(server);
    });
}

#[test]
fn an_address_that_is_none_is_named() {
    run(async {
        for (bootstrap, expected) in [
            ("", "bootstrap.servers cannot be empty: give at least one host:port"),
            (
                "http://kafka",
                "bootstrap.servers cannot be http://kafka: an address is host:port, such as 127.0.0.1:9092",
            ),
        ] {
            let error = Admin::connect(&ClientConfig::new(bootstrap)).await.expect_err("no address");
            assert_eq!(error.to_string(), expected);
        }
    });
}
