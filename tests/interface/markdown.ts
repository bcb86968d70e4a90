/** The parts of a Markdown document that contain rows: headings, tables, numbered lists and paragraphs. */

export interface Table {
	kind: 'table';
	head: readonly string[];
	/** Cells by column title. */
	rows: readonly Readonly<Record<string, string>>[];
}
interface Numbered {
	kind: 'numbered';
	/** The paragraph directly before the list, such as "Rules:". */
	intro: string;
	items: readonly { number: number; text: string }[];
}
interface Paragraph {
	kind: 'paragraph';
	text: string;
}
export type Part = Table | Numbered | Paragraph;

/** The content under one heading, up to the next one of any level. */
export interface Section {
	/** Titles from the outermost heading (level 2) down to this one. */
	path: readonly string[];
	parts: readonly Part[];
}

const cells = (line: string): string[] =>
	line
		.replace(/^\||\|$/g, '')
		.split('|')
		.map((cell) => cell.trim());

function readTable(lines: readonly string[]): Table {
	const head = cells(lines[0] ?? '');
	return {
		kind: 'table',
		head,
		rows: lines.slice(2).map((line) => {
			const values = cells(line);
			return Object.fromEntries(head.map((title, index) => [title, values[index] ?? '']));
		})
	};
}

const NUMBERED = /^(\d+)\. (.*)$/;

function readNumbered(lines: readonly string[], intro: string): Numbered {
	const items = lines.map((line) => {
		const [, number = '0', text = ''] = NUMBERED.exec(line) ?? [];
		return { number: Number(number), text };
	});
	return { kind: 'numbered', intro, items };
}

/** Groups adjacent lines of one kind. */
function readParts(lines: readonly string[]): Part[] {
	const parts: Part[] = [];
	const kindOf = (line: string): Part['kind'] =>
		line.startsWith('|') ? 'table' : NUMBERED.test(line) ? 'numbered' : 'paragraph';
	for (let at = 0; at < lines.length;) {
		const first = lines[at] ?? '';
		if (first.trim() === '') {
			at += 1;
			continue;
		}
		const kind = kindOf(first);
		let end = at + 1;
		while (kind !== 'paragraph' && end < lines.length && kindOf(lines[end] ?? '') === kind)
			end += 1;
		const block = lines.slice(at, end);
		const before = parts.at(-1);
		if (kind === 'table') parts.push(readTable(block));
		else if (kind === 'numbered') {
			parts.push(readNumbered(block, before?.kind === 'paragraph' ? before.text : ''));
		} else parts.push({ kind, text: first.trim() });
		at = end;
	}
	return parts;
}

/** Splits a document into its sections. */
export function readSections(markdown: string): Section[] {
	const sections: Section[] = [];
	let path: string[] = [];
	let lines: string[] = [];
	const close = (): void => {
		if (path.length > 0) sections.push({ path, parts: readParts(lines) });
		lines = [];
	};
	for (const line of markdown.split('\n')) {
		const [, marks = '', title = ''] = /^(#{2,6}) (.*)$/.exec(line) ?? [];
		if (marks === '') {
			lines.push(line);
			continue;
		}
		close();
		path = [...path.slice(0, marks.length - 2), title];
	}
	close();
	return sections;
}
