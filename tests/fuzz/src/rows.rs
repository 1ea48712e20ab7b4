//! A batch against its rows one by one, and all fields against each alone.

use carom::batch::{
    CancelToken, FieldKind, FieldSet, OnInvalid, OutputColumn, OutputTable, Query, QueryResult,
    Value, run,
};

/// The bits of a value; NaN is NaN whatever its bits.
fn bits(value: Value) -> Vec<u64> {
    let number = |it: f64| if it.is_nan() { u64::MAX } else { it.to_bits() };
    match value {
        Value::Bool(it) => vec![u64::from(it)],
        Value::Float(it) => vec![number(it)],
        Value::Vector(it) => vec![number(it.x), number(it.y)],
        Value::Segment([p, q]) => [p.x, p.y, q.x, q.y].map(number).to_vec(),
        Value::Index(it) => vec![it as u64],
        Value::Feature(it) => vec![it as u64],
    }
}

/// Memory for one field.
enum Memory {
    Bytes(Vec<u8>),
    Floats(Vec<f64>, FieldKind),
    Integers(Vec<i64>),
    Features(Vec<i8>),
}

impl Memory {
    fn new(kind: FieldKind, rows: usize) -> Self {
        match kind {
            FieldKind::Bool => Self::Bytes(vec![7; rows]),
            FieldKind::Index => Self::Integers(vec![7; rows]),
            FieldKind::Feature => Self::Features(vec![7; rows]),
            _ => Self::Floats(vec![7.0; rows * kind.width()], kind),
        }
    }

    fn column(&mut self) -> OutputColumn<'_> {
        match self {
            Self::Bytes(it) => OutputColumn::Bool(it),
            Self::Floats(it, kind) => OutputColumn::floats(it, *kind),
            Self::Integers(it) => OutputColumn::Index(it),
            Self::Features(it) => OutputColumn::Feature(it),
        }
    }

    fn bits(&self) -> Vec<u64> {
        let floats = |it: &f64| bits(Value::Float(*it))[0];
        match self {
            Self::Bytes(it) => it.iter().map(|&it| u64::from(it)).collect(),
            Self::Floats(it, _) => it.iter().map(floats).collect(),
            Self::Integers(it) => it.iter().map(|&it| it as u64).collect(),
            Self::Features(it) => it.iter().map(|&it| it as u64).collect(),
        }
    }
}

/// The fields of a batch.
fn filled<Q: Query>(query: &Q, fields: &[usize]) -> Vec<Vec<u64>> {
    let rows = query.rows();
    let kind = |&field: &usize| Q::Answer::FIELDS[field].kind;
    let mut memory: Vec<Memory> = fields
        .iter()
        .map(|it| Memory::new(kind(it), rows))
        .collect();
    let mut valid = vec![7; rows];
    let columns = fields
        .iter()
        .copied()
        .zip(memory.iter_mut().map(Memory::column));
    let table = OutputTable {
        first: 0,
        rows,
        columns: columns.collect(),
        valid: Some(&mut valid),
    };
    run(query, table, OnInvalid::Mask, 1, &CancelToken::default()).expect("nothing stops it");
    let mut bits: Vec<Vec<u64>> = memory.iter().map(Memory::bits).collect();
    bits.push(valid.into_iter().map(u64::from).collect());
    bits
}

/// The bits of all fields of all rows.
pub fn answers<Q: Query>(query: Q) -> Vec<u64> {
    let all: Vec<usize> = (0..Q::Answer::FIELDS.len()).collect();
    answers_of(query, &all)
}

/// The bits of these fields, the first ones, of all rows.
///
/// # Panics
///
/// If the batch, its rows one by one, and its fields one by one don't agree.
pub fn answers_of<Q: Query>(mut query: Q, all: &[usize]) -> Vec<u64> {
    query.prepare();
    let batch = filled(&query, all);
    let mut cursor = query.cursor(FieldSet::ALL);
    for row in 0..query.rows() {
        let answer = query.answer(row, &mut cursor);
        let is_valid = u64::from(answer.is_ok());
        assert_eq!(batch[all.len()][row], is_valid, "valid, row {row}");
        let answer = answer.unwrap_or(None);
        for &field in all {
            let meta = Q::Answer::FIELDS[field];
            let value = answer
                .as_ref()
                .map_or(meta.kind.blank(), |it| it.value(field));
            let value = bits(value);
            let width = value.len();
            assert_eq!(
                batch[field][row * width..][..width],
                value,
                "{}, row {row}",
                meta.name
            );
        }
    }
    for &field in all {
        let alone = filled(&query, &[field]);
        // Valid only means that the operands are; a field may not need that they are convex.
        assert_eq!(
            alone[0],
            batch[field],
            "{} alone",
            Q::Answer::FIELDS[field].name
        );
    }
    batch.concat()
}
