/**
 * Parses the interface document of the trading node into rows. Its tables and sentences have their own formats.
 */
import { membersOf, splitList, type Field } from './fields.ts';
import type { Section, Table } from './markdown.ts';
import type { Row } from './rows.ts';

const DOCUMENT = 'trading-node';
const NOT_SHOWN = /\bnot shown\b/;
/** `enable (legacy)`, `task::enable_bch::init (version 2)`. */
const METHOD_TITLE = /^([a-z_:]+) \((?:version 2|legacy)\)$/;

type Cells = Readonly<Record<string, string>>;

/** Values of a closed list: `string: TCP, SSL, WSS`, `value NftIndexer`, `External or Internal`. */
function valuesOf(about: string): string[] {
	const listed =
		/\bstring: ([A-Z]\w+(?:(?:, or |, | or )[A-Z]\w+)*)/.exec(about)?.[1] ??
		/\bvalue ([A-Z]\w+)\)/.exec(about)?.[1] ??
		/^([A-Z]\w+) for this method/.exec(about)?.[1] ??
		/^((?:t?[A-Z]\w+)(?: or [A-Za-z]+)+)(?: \(|$)/.exec(about)?.[1];
	if (listed !== undefined) return listed.split(/, or |, | or /);
	return [...about.matchAll(/(?:^|; )([A-Z]\w+) (?:uses|returns) /g)].map(([, word = '']) => word);
}

/** `NoSuchTask (error_data is …), TaskFinished` as names, each with the text in its brackets. */
const namesOf = (text: string): { name: string; about: string }[] =>
	splitList(text).flatMap((item) => {
		const [, name = '', about = ''] = /^([A-Z][A-Za-z]+)(?: \((.*)\))?\.?$/.exec(item) ?? [];
		return name === '' ? [] : [{ name, about }];
	});

/** The part of a sentence after a pattern, up to the end of the sentence. */
const behind = (text: string, words: RegExp): string | null => words.exec(text)?.[1] ?? null;

class KdfRows {
	readonly rows: Row[] = [];
	/** Members of objects that the document refers to by name. */
	readonly #shared = new Map<string, readonly Field[]>();
	readonly #methods: readonly string[];

	constructor(methods: readonly string[]) {
		this.#methods = methods;
	}

	share(name: string, text: string): void {
		const either = /^either (\{.*\}) or (\{.*\})$/.exec(text);
		const fields =
			either === null
				? membersOf(text, '')
				: either
						.slice(1)
						.flatMap((braces) => membersOf(braces.slice(1, -1), ''))
						.map((field) => ({ ...field, optional: true }));
		// Members that belong to only one of the values.
		const conditional = /\bfor [A-Z]/;
		this.#shared.set(
			name,
			fields.map((field) => ({
				...field,
				optional: field.optional || conditional.test(field.about)
			}))
		);
	}

	/** A member with those of the object that its description names; free keys of a map are a star. */
	#opened(field: Field): Field[] {
		const name = [...this.#shared.keys()].find((one) =>
			new RegExp(`\\b${one}\\b`).test(field.about)
		);
		if (name === undefined) return [field];
		const star = /\bmap\b/i.test(field.about) ? '.*' : '';
		const inner = (this.#shared.get(name) ?? []).flatMap((one) =>
			this.#opened({ ...one, path: `${field.path}${star}.${one.path}` })
		);
		return [field, ...inner];
	}

	method(method: string, text: string): void {
		this.rows.push({ id: method, document: DOCUMENT, kind: 'method', method, text });
	}

	#param(method: string, field: Field, own: boolean, hows: readonly ('given' | 'omitted')[]): void {
		for (const how of hows) {
			this.rows.push({
				id: `${method}/param/${field.path}/${how}`,
				document: DOCUMENT,
				kind: 'kdfParam',
				method,
				path: field.path,
				own,
				optional: field.optional,
				how,
				text: field.about
			});
		}
		for (const value of valuesOf(field.about)) this.value(method, field.path, value);
	}

	value(method: string, path: string, value: string): void {
		const id = `${method}/param/${path}=${value}`;
		if (this.rows.some((row) => row.id === id)) return;
		this.rows.push({ id, document: DOCUMENT, kind: 'value', method, path, value, text: value });
	}

	params(method: string, { rows }: Table): void {
		for (const row of rows) {
			const { Field: path = '', Type: type = '', Description: text = '' } = row;
			const needed = row['Required'];
			const optional = needed === 'no';
			const values = valuesOf(text).length > 0 ? text : type;
			this.#param(method, { path, optional, about: values }, true, ['given', 'omitted']);
			const fallback = row['Default'] ?? '';
			if (/^[A-Z][A-Za-z]+$/.test(fallback)) this.value(method, path, fallback);
			// Required members of a shared object are tested as given only, optional ones as omitted too.
			for (const inner of this.#opened({ path, optional, about: `${type} ${text}` }).slice(1)) {
				this.#param(method, inner, false, inner.optional ? ['given', 'omitted'] : ['given']);
			}
		}
	}

	/** @param sharedBy methods whose results are described together: a row shown by one counts for all */
	fields(method: string, fields: readonly Field[], sharedBy: readonly string[] = [method]): void {
		for (const field of fields.flatMap((one) => this.#opened(one))) {
			for (const how of field.optional
				? (['present', 'absent'] as const)
				: (['present'] as const)) {
				this.rows.push({
					id: `${method}/result/${field.path}/${how}`,
					document: DOCUMENT,
					kind: 'field',
					method,
					path: field.path,
					optional: field.optional,
					how,
					text: field.about,
					sharedBy
				});
			}
		}
	}

	/** The whole result is one word. */
	word(method: string, word: string): void {
		const id = `${method}/result=${word}`;
		this.rows.push({ id, document: DOCUMENT, kind: 'result', method, word, text: word });
	}

	error(method: string, type: string, data: string, text: string): void {
		this.rows.push({
			id: `error/${method}/${type}`,
			document: DOCUMENT,
			kind: 'kdfError',
			method,
			type,
			data,
			text
		});
	}

	state(status: string, details: string | null, text: string): void {
		const id = details === null ? `state/${status}` : `state/${status}/${details}`;
		this.rows.push({ id, document: DOCUMENT, kind: 'kdfState', status, details, text });
	}

	/** A promise that the tour through a network must show itself. */
	shown(id: string, text: string): void {
		this.rows.push({ id, document: DOCUMENT, kind: 'shown', text });
	}

	claim(kind: 'rule' | 'limit' | 'envelope', id: string, text: string): void {
		this.rows.push({ id: `${kind}/${id}`, document: DOCUMENT, kind, text });
	}

	methodsIn(text: string): string[] {
		const words = text.split(/[^a-z_:]+/).map((word) => word.replace(/:+$/, ''));
		return words.filter((word) => this.#methods.includes(word));
	}
}

/** Members that a table of results lists, with those that its descriptions spell out. */
function resultFields({ rows }: Table): Field[] {
	return rows.flatMap((row: Cells): Field[] => {
		const { Field: path = '', Description: text = '', Required: needed = '' } = row;
		const optional = needed === 'no' || needed.includes('absent');
		const inner = /^Map .*? to \{(.*)\}/.exec(text)?.[1] ?? '';
		const either = inner.replace(
			/and either (\w+) \(([^)]*)\) or (\w+) \(([^)]*)\)/,
			'$1 (optional, $2), $3 (optional, $4)'
		);
		const members = membersOf(either, `${path}.*.`).map((field) => ({
			...field,
			optional: field.optional || field.about.includes('only when')
		}));
		return [{ path, optional, about: inner === '' ? text : '' }, ...members];
	});
}

function readResources({ path, parts }: Section, rows: KdfRows): void {
	const [, title = ''] = path;
	if (title.startsWith('Shared objects')) {
		for (const part of parts) {
			if (part.kind !== 'table') continue;
			for (const row of part.rows) {
				rows.share((row['Object'] ?? '').replace(/ \(.*/, ''), row['Fields seen'] ?? '');
			}
		}
		return;
	}
	let about = '';
	for (const part of parts) {
		if (part.kind === 'paragraph') {
			about = part.text;
			if (title === 'Request envelopes' || title === 'Responses') {
				const [head = ''] = part.text.split(/[:(]/);
				if (!part.text.endsWith(':')) rows.claim('envelope', head.trim(), part.text);
			}
		} else if (part.kind === 'table' && title === 'Request envelopes') {
			for (const row of part.rows) {
				rows.claim('envelope', `Version 2/${row['Field']}`, Object.values(row).join(': '));
			}
		} else if (part.kind === 'table') {
			const methods = rows.methodsIn(about);
			for (const method of methods) rows.fields(method, resultFields(part), methods);
			for (const row of part.rows) {
				const [one, other] = (row['Type'] ?? '').split(' or ');
				if (other === undefined) continue;
				for (const form of [one, other]) {
					for (const method of methods) {
						rows.shown(`form/${method}/${row['Field']}/${form}`, row['Description'] ?? '');
					}
				}
			}
		}
	}
}

/** Members of a status besides its two fixed ones: the result, the wallet, the failure. */
function readStatus(method: string, text: string, rows: KdfRows): void {
	const done = behind(text, /For Ok, details is \{(.*?)\}/);
	if (done !== null) rows.fields(method, membersOf(done, 'details.'));
	const wallet = behind(text, /wallet_balance in HD mode \(.*?\): (.*?)\. For a failed/);
	if (wallet !== null) {
		const fields = membersOf(wallet, 'details.wallet_balance.');
		const varies = /map ticker to/;
		rows.fields(
			method,
			fields.map((field) => ({ ...field, optional: varies.test(field.about) }))
		);
	}
	const failed = behind(text, /details\.result carries (.*?); error_type/);
	if (failed !== null) rows.fields(method, membersOf(failed, 'details.result.'));
	const types = behind(text, /error_type values: (.*)\.$/) ?? '';
	for (const { name, about } of namesOf(types)) rows.error(method, name, '', about);
}

function readMethod(method: string, { parts }: Section, rows: KdfRows): void {
	const paragraphs = parts.flatMap((part) => (part.kind === 'paragraph' ? [part.text] : []));
	rows.method(method, paragraphs[0] ?? '');
	for (const part of parts) if (part.kind === 'table') rows.params(method, part);
	for (const text of paragraphs) {
		const tickers = behind(text, /Platform tickers: (.*?)\./);
		for (const ticker of tickers?.split(', ') ?? []) rows.value(method, 'ticker', ticker);
		const param = /^Param: (\w+) \((\w+)\)/.exec(text);
		if (param) {
			const table: Table = {
				kind: 'table',
				head: ['Field', 'Type'],
				rows: [{ Field: param[1] ?? '', Type: param[2] ?? '' }]
			};
			rows.params(method, table);
		}
		const result = behind(text, /(?:^|\s)Result: (.*)$/);
		if (result === null || result.startsWith('see ')) continue;
		const members = /^\{(.*?)\}/.exec(result)?.[1];
		if (members !== undefined) rows.fields(method, membersOf(members, ''));
		const word = /^result: (?:string \()?(\w+)/.exec(result)?.[1];
		if (word !== undefined) rows.word(method, word);
		if (result.includes('For Ok')) readStatus(method, result, rows);
		else {
			const rest = behind(result, /^\{.*?\}\. (.*)$/);
			if (rest !== null) rows.claim('rule', `${method}/result`, rest);
		}
	}
}

function readStates({ parts }: Section, rows: KdfRows): void {
	for (const part of parts) {
		if (part.kind !== 'table') continue;
		for (const row of part.rows) {
			const state = row['State (status value)'];
			if (state !== undefined) {
				const [status = '', details] = state.split(' with details ');
				rows.state(status, details ?? null, row['Meaning'] ?? '');
			} else {
				const [from = '', trigger = '', condition = '', to = ''] = Object.values(row);
				rows.shown(`move/${from}/${trigger}${condition === '' ? '' : `/${condition}`}`, to);
			}
		}
	}
}

function readErrors({ parts }: Section, rows: KdfRows): void {
	let methods: string[] = [];
	for (const part of parts) {
		if (part.kind === 'table') {
			for (const row of part.rows) {
				const { error_type: type = '', Condition: text = '', error_data: data = '' } = row;
				for (const method of methods) rows.error(method, type, data, text);
			}
		}
		if (part.kind !== 'paragraph') continue;
		const [head = '', list = ''] = part.text.split(/ error_type values: /);
		methods = rows.methodsIn(part.text.split(' error_type values')[list === '' ? 1 : 0] ?? '');
		for (const method of rows.methodsIn(head)) {
			for (const { name, about } of namesOf(list)) rows.error(method, name, '', about);
		}
		const conditions = behind(part.text, /^Legacy errors .*? Conditions: (.*)\.$/);
		for (const condition of conditions?.split('; ') ?? []) {
			rows.shown(`error/legacy/${condition}`, condition);
		}
	}
}

function readClaims({ path, parts }: Section, rows: KdfRows): void {
	const [top = ''] = path;
	for (const part of parts) {
		if (part.kind === 'numbered') {
			for (const { number, text } of part.items) {
				// A sentence that leaves something open still promises the rest.
				const said = text
					.split(/(?<=\.) /)
					.filter((sentence) => !NOT_SHOWN.test(sentence) && !sentence.includes('not covered'));
				if (said.length > 0) rows.claim('rule', `${top}/${number}`, said.join(' '));
			}
		} else if (part.kind === 'table' && top === 'Limits') {
			for (const row of part.rows) {
				rows.claim('limit', row['Limit'] ?? '', Object.values(row).join(': '));
			}
		}
	}
}

/** All rows of the second document, in its order. */
export function readKdfRows(sections: readonly Section[]): readonly Row[] {
	const titled = sections.flatMap((section) => {
		const [, method] = METHOD_TITLE.exec(section.path[1] ?? '') ?? [];
		return method === undefined ? [] : [{ method, section }];
	});
	const rows = new KdfRows(titled.map(({ method }) => method));
	for (const section of sections) {
		const [top = '', title] = section.path;
		const named = titled.find((one) => one.section === section);
		if (named) readMethod(named.method, section, rows);
		else if (title !== undefined && top === 'Resources and their fields') {
			readResources(section, rows);
		} else if (/^States/.test(top)) readStates(section, rows);
		else if (top === 'Errors') readErrors(section, rows);
		else if (title === undefined) readClaims(section, rows);
	}
	return rows.rows;
}
