/** Parses the interface documents into rows: one for each promise. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFields, readParams, type Field } from './fields.ts';
import { readSections, type Section, type Table } from './markdown.ts';
import { readKdfRows } from './kdfRows.ts';

export const DOCUMENTS = ['daemon', 'trading-node'] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

interface About {
	/** Unique, and stable while the document keeps its wording: `tokencreate/param/name/given`. */
	id: string;
	document: DocumentName;
	/** The document's text, shortened when printed. */
	text: string;
}
export interface MethodRow extends About {
	kind: 'method';
	method: string;
}
export interface ParamRow extends About {
	kind: 'param';
	method: string;
	name: string;
	/** Its position, from 0. */
	index: number;
	optional: boolean;
	how: 'given' | 'omitted';
}
export interface FieldRow extends About {
	kind: 'field';
	method: string;
	/** Members joined by dots. */
	path: string;
	/** The document allows it to be missing. */
	optional: boolean;
	how: 'present' | 'absent';
	/** Methods whose results the document describes together; a row shown by one counts for all. */
	sharedBy?: readonly string[];
}
/** Limits, rules, flow steps, error types, states, settings: rows that only a test can show. */
export interface ClaimRow extends About {
	kind: 'limit' | 'rule' | 'flow' | 'error' | 'state' | 'setting' | 'envelope';
}
/** A parameter of a method whose parameters have names. */
export interface KdfParamRow extends About {
	kind: 'kdfParam';
	method: string;
	/** Members joined by dots; array indices are left out. */
	path: string;
	/** It is in the method's own table, not only in an object to which the table refers. */
	own: boolean;
	optional: boolean;
	how: 'given' | 'omitted';
}
/** An allowed value of a parameter. */
export interface ValueRow extends About {
	kind: 'value';
	method: string;
	path: string;
	value: string;
}
/** A result that is one word. */
interface ResultRow extends About {
	kind: 'result';
	method: string;
	word: string;
}
/** An error type of a method; `data` describes its `error_data` if the document shows it. */
export interface KdfErrorRow extends About {
	kind: 'kdfError';
	method: string;
	type: string;
	data: string;
}
/** The value of a task's status; null for a state with its own details. */
interface KdfStateRow extends About {
	kind: 'kdfState';
	status: string;
	details: string | null;
}
/** A row that needs several calls of the tour: a move between states, an error without a type. */
interface ShownRow extends About {
	kind: 'shown';
}
export type KdfRow = KdfParamRow | ValueRow | ResultRow | KdfErrorRow | KdfStateRow | ShownRow;
export type Row = MethodRow | ParamRow | FieldRow | ClaimRow | KdfRow;

const FOLDER = join(import.meta.dirname, 'documents');
/** Sentences that leave something open are no promise. */
const NOT_SHOWN = /\bnot shown\b/;
const METHOD = /^[a-zA-Z_:]+$/;

/** The method's name in a heading such as `enable (legacy)`. */
const methodOf = (title: string): string | null => {
	const name = title.replace(/ \((?:version 2|legacy)\)$/, '');
	return METHOD.test(name) && /[a-z_]/.test(name) && name !== 'Flows' ? name : null;
};

/** Whether a table marks a row as optional; without such a column it is required. */
const isOptional = (row: Readonly<Record<string, string>>): boolean => {
	const said = row['Required'];
	return said !== undefined && !/^(?:yes|for |QRC20 )/.test(said);
};

class Rows {
	readonly #document: DocumentName;
	readonly rows: Row[] = [];
	/** Fields of records to which a result refers by name, such as "token record". */
	readonly #records = new Map<string, readonly Field[]>();

	constructor(document: DocumentName) {
		this.#document = document;
	}

	record(name: string, fields: readonly Field[]): void {
		this.#records.set(name.toLowerCase(), fields);
	}

	method(method: string, text: string): void {
		this.rows.push({ id: method, document: this.#document, kind: 'method', method, text });
	}

	params(method: string, params: readonly (Omit<Field, 'about'> & { text: string })[]): void {
		params.forEach(({ path, optional, text }, index) => {
			for (const how of ['given', 'omitted'] as const) {
				const id = `${method}/param/${path}/${how}`;
				this.rows.push({
					id,
					document: this.#document,
					kind: 'param',
					method,
					name: path,
					index,
					optional,
					how,
					text
				});
			}
		});
	}

	fields(method: string, fields: readonly Field[]): void {
		for (const { path, optional, or } of fields) {
			// A network shows one of both names.
			if (or !== undefined) this.claim('rule', `${method}/result/${path} or ${or}`, path);
			for (const how of optional ? (['present', 'absent'] as const) : (['present'] as const)) {
				const id = `${method}/result/${path}/${how}`;
				this.rows.push({
					id,
					document: this.#document,
					kind: 'field',
					method,
					path,
					optional,
					how,
					text: path
				});
			}
		}
	}

	claim(kind: ClaimRow['kind'], id: string, text: string): void {
		this.rows.push({ id: `${kind}/${id}`, document: this.#document, kind, text });
	}

	/** The result that a sentence describes; a record's name stands for its fields. */
	result(method: string, sentence: string): void {
		const named = [...this.#records].find(([name]) => sentence.toLowerCase().startsWith(name));
		this.fields(method, named ? named[1] : readFields(sentence));
	}
}

const tableFields = (table: Table): Field[] =>
	table.rows.map((row) => ({
		path: row['Field'] ?? '',
		optional: isOptional(row),
		about: row['Description'] ?? ''
	}));

/** Everything under "Resources": envelopes and settings are claims, records are stored for the results. */
function readResources({ path, parts }: Section, rows: Rows): void {
	const title = path.at(-1) ?? '';
	const [, record, method] = /^(.*?)(?: record)? \((\w+)(?: result)?\)$/.exec(title) ?? [];
	for (const part of parts) {
		if (part.kind === 'table') {
			if (part.head.includes('Field') && record !== undefined && method !== undefined) {
				rows.record(`${record} record`, tableFields(part));
				continue;
			}
			const [first = ''] = part.head;
			const kind = /envelope/i.test(title) ? 'envelope' : 'setting';
			for (const row of part.rows) {
				rows.claim(kind, `${title}/${row[first] ?? ''}`, Object.values(row).join(': '));
			}
		} else if (part.kind === 'paragraph' && part.text.startsWith('Object')) {
			const fields = readFields(part.text.replace(/^Object(?: with)?: /, ''));
			if (record === undefined || method === undefined) continue;
			if (title.endsWith(' result)')) rows.record(record, fields);
			else rows.fields(method, fields);
		} else if (part.kind === 'paragraph' && /envelope/i.test(title)) {
			rows.claim('envelope', `${title}/${part.text.split(' ').slice(0, 2).join(' ')}`, part.text);
		}
	}
}

/** The section of one method: tables or sentences of parameters, a sentence of the result, rules. */
function readMethod(method: string, { parts }: Section, rows: Rows): void {
	const paragraphs = parts.flatMap((part) => (part.kind === 'paragraph' ? [part.text] : []));
	rows.method(method, paragraphs[0] ?? '');
	const only = /(?:^|\. )([A-Z][^.]* only [^.]*)\./.exec(paragraphs[0] ?? '')?.[1];
	if (only !== undefined) rows.claim('rule', `${method}/only`, only);
	for (const part of parts) {
		if (part.kind === 'table') {
			const name = part.head.find((title) => title === 'Param' || title === 'Field');
			if (name === undefined) continue;
			const params = part.rows.map((row) => ({
				path: row[name] ?? '',
				optional: isOptional(row),
				text: row['Description'] ?? ''
			}));
			rows.params(method, params);
		} else if (part.kind === 'numbered') {
			for (const { number, text } of part.items) rows.claim('rule', `${method}/${number}`, text);
		}
	}
	for (const text of paragraphs) {
		const params = /(?:^|\s)Params?: (.*?)(?=\. |\.$)/.exec(text)?.[1];
		if (params !== undefined) {
			rows.params(
				method,
				readParams(params).map((field) => ({ ...field, text: params }))
			);
		}
		const result = /(?:^|\s)Result: (.*)$/.exec(text)?.[1];
		if (result !== undefined) rows.result(method, result);
		const rest = /\. ([A-Za-z].*)$/.exec(result ?? '')?.[1];
		if (rest !== undefined && !NOT_SHOWN.test(rest)) rows.claim('rule', `${method}/result`, rest);
	}
}

/** `Method | Params | Result`: several small methods in one table. */
function readMethodTable(table: Table, rows: Rows): void {
	for (const row of table.rows) {
		const method = row['Method'] ?? '';
		rows.method(method, row['Params'] ?? '');
		const result = row['Result'] ?? '';
		if (!NOT_SHOWN.test(result)) rows.fields(method, readFields(result));
	}
}

function readFlows({ parts }: Section, rows: Rows): void {
	for (const part of parts) {
		if (part.kind === 'numbered') {
			const letter = part.intro.charAt(0);
			for (const { number, text } of part.items) rows.claim('flow', `${letter}/${number}`, text);
		} else if (part.kind === 'paragraph' && /^[A-Z]\. .*: /.test(part.text)) {
			rows.claim('flow', part.text.charAt(0), part.text);
		}
	}
}

function readClaims({ path, parts }: Section, rows: Rows): void {
	const [top = ''] = path;
	const kind =
		top === 'Limits'
			? 'limit'
			: top === 'Errors'
				? 'error'
				: /^States/.test(top)
					? 'state'
					: 'rule';
	for (const part of parts) {
		if (part.kind === 'numbered') {
			for (const { number, text } of part.items) {
				if (!NOT_SHOWN.test(text)) rows.claim(kind, `${top}/${number}`, text);
			}
		} else if (part.kind === 'table') {
			for (const row of part.rows) {
				const values = Object.values(row);
				rows.claim(
					kind,
					kind === 'limit' ? (values[0] ?? '') : `${top}/${values.slice(0, 3).join('/')}`,
					values.join(': ')
				);
			}
		}
	}
}

/** All rows of a document, in its order. */
export function readRows(document: DocumentName): readonly Row[] {
	const sections = readSections(readFileSync(join(FOLDER, `${document}.md`), 'utf8'));
	if (document === 'trading-node') return readKdfRows(sections);
	const rows = new Rows(document);
	for (const section of sections) {
		const [top = '', title] = section.path;
		if (title === undefined) readClaims(section, rows);
		else if (top === 'Resources and their fields') readResources(section, rows);
		else if (title === 'Flows') readFlows(section, rows);
		else {
			const method = methodOf(title);
			if (method !== null) readMethod(method, section, rows);
			else {
				for (const part of section.parts) {
					if (part.kind === 'table' && part.head[0] === 'Method') readMethodTable(part, rows);
				}
			}
		}
	}
	return rows.rows;
}
