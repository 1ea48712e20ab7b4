//! Runs a target in other processes, one for each other instruction set, since a process chooses
//! its instruction set only once.

use std::env;
use std::io::{Read, Result, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use carom::simd::instructions::{NAMES, VARIABLE, level, name};

use crate::Answers;

/// Set in the processes that answer on their standard output.
const SERVES: &str = "CAROM_FUZZ_SERVES";

struct Peer {
    name: &'static str,
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Peer {
    /// A process of another instruction set; `None` if this processor lacks it.
    fn start(name: &'static str) -> Option<Self> {
        let program = env::current_exe().expect("a program");
        let mut child = Command::new(program)
            .env(VARIABLE, name)
            .env(SERVES, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        let mut peer = Self {
            name,
            child,
            input,
            output,
        };
        let has_it = read_number(&mut peer.output).expect("whether it has the instructions");
        if has_it == 0 {
            peer.child.wait().expect("an end");
            return None;
        }
        Some(peer)
    }

    fn answer(&mut self, data: &[u8]) -> Result<u64> {
        self.input.write_all(&(data.len() as u64).to_le_bytes())?;
        self.input.write_all(data)?;
        self.input.flush()?;
        read_number(&mut self.output)
    }
}

fn read_number(from: &mut impl Read) -> Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// FNV-1a over the answers.
fn digest(answers: &Answers) -> u64 {
    let numbers = answers.iter().flatten();
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, &number| {
        (hash ^ number)
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
    })
}

/// In a process started by [`compare`]: answers inputs until there are no more, and ends the process.
pub fn serve(target: fn(&[u8]) -> Answers) {
    if env::var_os(SERVES).is_none() {
        return;
    }
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let has_it = level().1.is_none();
    let mut write = |number: u64| {
        output
            .write_all(&number.to_le_bytes())
            .and_then(|()| output.flush())
            .expect("a reader");
    };
    write(u64::from(has_it));
    while has_it && let Ok(length) = read_number(&mut input) {
        let mut data = vec![0; usize::try_from(length).expect("a length")];
        input.read_exact(&mut data).expect("an input");
        write(digest(&target(&data)));
    }
    std::process::exit(0);
}

/// Runs the target here and, in turn, in the process of another instruction set.
///
/// # Panics
///
/// If the answers differ, or the target finds a fault.
pub fn compare(data: &[u8], target: fn(&[u8]) -> Answers) {
    static PEERS: OnceLock<Mutex<Vec<Peer>>> = OnceLock::new();
    let answers = target(data);
    if answers.is_none() {
        return;
    }
    let peers = PEERS.get_or_init(|| {
        let others = NAMES
            .into_iter()
            .filter(|&other| other != name() && other != "neon");
        Mutex::new(others.filter_map(Peer::start).collect())
    });
    let mut peers = peers.lock().expect("one thread");
    let number = peers.len();
    if number > 0 {
        let peer = &mut peers[data.iter().map(|&it| usize::from(it)).sum::<usize>() % number];
        let theirs = peer.answer(data).expect("the other process answers");
        assert_eq!(
            theirs,
            digest(&answers),
            "{} and {} differ",
            name(),
            peer.name
        );
    }
}
