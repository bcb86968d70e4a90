/** Texts for people use the words of the glossary: words that it replaced are on no page and in no message. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
	isForPeople,
	sentencesOfModule,
	textsOfComponent,
	textsOfMessages,
	type Text
} from './texts.ts';
import { unusedMessages } from './unusedMessages.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Words that texts must not contain, each with its replacement. */
const REPLACED: readonly (readonly [word: RegExp, now: string])[] = [
	[/\b(?:carry|carries|carried|carrying)\b/i, 'migrate'],
	[/\bbackup (?:room|route)\b/i, 'notary approvals'],
	[/\bburns and imports\b/i, 'transfers'],
	[/\bledger\b/i, 'reconciliation'],
	[/\bcapsule\b/i, 'recovery file'],
	[/\b(?:take|takes|taken|took) up\b/i, 'recover'],
	[/\b(?:give|gives|given|gave) up\b/i, 'discard'],
	[/\bin a block\b/i, 'confirmed'],
	[/\bchosen outputs\b/i, 'selected UTXOs'],
	[/\bseries\b/i, 'batch'],
	[/\bwholes\b/i, 'base units'],
	[/\b(?:threw|lifted|lift it)\b/i, 'turn on, turn off'],
	[/\b(?:somebody|nobody|everybody)\b/i, 'the role, someone, no one, everyone'],
	[/\bfor ever\b/i, 'permanently'],
	[/\bcheck sum\b/i, 'checksum'],
	[/\bburnt\b/i, 'burned'],
	[/\bspelt\b/i, 'spelled'],
	[/\b(?:colours?|recognise|reorganis\w+|cancelled)\b/i, 'the American spelling'],
	[/\w'(?:s|t|re|ve|ll|d)\b|s' /i, '’']
];

const sources = (...patterns: string[]): string[] =>
	execFileSync('git', ['ls-files', '--', ...patterns], { cwd: ROOT, encoding: 'utf8' })
		.split('\n')
		.filter((file) => file !== '' && !file.endsWith('.test.ts'));

function replacedWords(file: string, texts: readonly Text[]): string[] {
	return texts.flatMap(({ text, line }) =>
		REPLACED.filter(([word]) => word.test(text)).map(
			([word, now]) => `${file}:${line} says “${word.exec(text)?.[0]}”, not “${now}”`
		)
	);
}

test('no page has a word that the glossary replaced', () => {
	const files = sources('src/routes/**/*.svelte', 'src/routes/*.svelte', 'src/lib/ui/**/*.svelte');
	expect(files.length).toBeGreaterThan(100);
	const found = files.flatMap((file) =>
		replacedWords(
			file,
			// A script literal of a single word is a code.
			textsOfComponent(readFileSync(resolve(ROOT, file), 'utf8')).filter(
				({ place, text }) => place !== 'literal' || text.includes(' ')
			)
		)
	);
	expect(found).toEqual([]);
});

test('no message has a word that the glossary replaced', () => {
	// The palette's search words may be any words that members type.
	const files = sources(
		'src/lib/messages/*.ts',
		'src/lib/messages/**/*.ts',
		'src/lib/ui/*/*Words.ts'
	).filter((file) => !file.endsWith('/commands.ts'));
	expect(files.length).toBeGreaterThan(30);
	const found = files.flatMap((file) =>
		replacedWords(file, textsOfMessages(readFileSync(resolve(ROOT, file), 'utf8')))
	);
	expect(found).toEqual([]);
});

test('no component has texts of its own: they stand in the messages', () => {
	const files = sources('src/routes/**/*.svelte', 'src/routes/*.svelte', 'src/lib/ui/**/*.svelte');
	const found = files.flatMap((file) =>
		textsOfComponent(readFileSync(resolve(ROOT, file), 'utf8'))
			.filter(isForPeople)
			.map(({ text, line }) => `${file}:${line} ${text.trim()}`)
	);
	expect(found).toEqual([]);
});

test('no icon has words of its own, which are not read out: they stand beside it', () => {
	const found = sources('src/*.svelte').flatMap((file) => {
		const text = readFileSync(resolve(ROOT, file), 'utf8');
		const icons = [...text.matchAll(/import (\w+) from '@lucide\/svelte\/icons\//g)];
		return icons
			.flatMap(([, icon]) => [...text.matchAll(new RegExp(`<${icon}\\s[^>]*`, 'g'))])
			.filter(([tag]) => / (?:aria-label|title|role)/.test(tag.replaceAll(/\s+/g, ' ')))
			.map(([tag]) => `${file}: ${tag}`);
	});
	expect(found).toEqual([]);
});

test('every text of the messages is read somewhere', () => {
	const files = sources('src/*.ts', 'src/*.svelte');
	const all = new Map(files.map((file) => [file, readFileSync(resolve(ROOT, file), 'utf8')]));
	expect(unusedMessages(all)).toEqual([]);
});

test('a text that nothing reads is found, and one that is read by name, as a part or as a whole is none', () => {
	const messages = `export const words = {
	title: 'Title', list: { one: 'One', two: 'Two' }, kinds: { a: 'A', b: 'B' }, gone: { old: 'Old' }
} as const;`;
	const page = `import { words as texts } from './words.ts';
const { one } = texts.list;
show(texts.title, texts.kinds[kind], one);`;
	expect(
		unusedMessages(
			new Map([
				['src/lib/messages/words.ts', messages],
				['src/routes/page.ts', page]
			])
		)
	).toEqual([
		'src/lib/messages/words.ts: words.list.two',
		'src/lib/messages/words.ts: words.gone.old'
	]);
});

/** Modules that quote sentences of other programs, and the reason. */
const QUOTING: readonly (readonly [files: RegExp, why: string])[] = [
	[/\/storedSentences\.ts$/, 'sentences that earlier releases stored, to read their rows'],
	[/^src\/lib\/chain\/script\.ts$/, 'names of opcodes'],
	[/\/chains\/upstream\/answer\.ts$/, 'what a daemon says'],
	[
		/\/rpc-proxy\/(?:(?:daemon|kdf|http)\/\w+|rpcApi)\.ts$/,
		'the RPC API answers as daemons and trading nodes do'
	],
	[/\/rpc-proxy\/console\/curl\.ts$/, 'a header of HTTP'],
	[/^src\/lib\/rpc\//, 'what daemons and trading nodes say'],
	[/^src\/start\/routeTable\.ts$/, 'the build, to who adds a route']
];

test('no module outside of the messages has sentences of its own', () => {
	const files = sources('src/*.ts').filter(
		(file) => !/^src\/(?:devnet|lib\/messages)\//.test(file)
	);
	expect(files.length).toBeGreaterThan(300);
	const found = new Map(
		files.map((file) => [file, sentencesOfModule(readFileSync(resolve(ROOT, file), 'utf8'))])
	);
	const own = [...found].filter(([file]) => !QUOTING.some(([files]) => files.test(file)));
	expect(
		own.flatMap(([file, texts]) => texts.map(({ text, line }) => `${file}:${line} ${text}`))
	).toEqual([]);
	// An exception that no file needs must be removed.
	const quoting = [...found].filter(([, texts]) => texts.length > 0).map(([file]) => file);
	expect(QUOTING.filter(([files]) => !quoting.some((file) => files.test(file)))).toEqual([]);
});

test('a sentence of a module is found as text and as template, and a log line or a mistake is none', () => {
	const module = `const one = { reason: 'Nothing was sent here.', code: 'not-sent' };
const two = \`The chain \${name} is gone\`;
log.warn({ one }, 'The daemon did not answer');
throw new Error(\`No such table \${name} here\`);
const three = 'Two words';`;
	expect(sentencesOfModule(module).map(({ text }) => text)).toEqual([
		'Nothing was sent here.',
		'The chain … is gone'
	]);
});

test('a text of a component is found in markup, attribute and script, and a code is none', () => {
	const component = `<script>const one = 'It was sent.'; const code = 'not-sent';</script>
<p class="m-0 p-0">Sent</p><Card title="What happened" kind="fail">{one}</Card>`;
	expect(
		textsOfComponent(component)
			.filter(isForPeople)
			.map(({ text }) => text)
	).toEqual(['Sent', 'What happened', 'It was sent.']);
});

test('a replaced word is found in markup, attribute, script and message', () => {
	const component = `<script>const one = 'It was carried over.';</script>
<p>Somebody else</p><Card title="The ledger of it" note={\`given up \${one}\`} />`;
	expect(replacedWords('one.svelte', textsOfComponent(component))).toEqual([
		'one.svelte:2 says “Somebody”, not “the role, someone, no one, everyone”',
		'one.svelte:2 says “ledger”, not “reconciliation”',
		'one.svelte:2 says “given up”, not “discard”',
		'one.svelte:1 says “carried”, not “migrate”'
	]);
	const messages = "export const words = { one: 'nobody is here', code: 'carry' };";
	expect(replacedWords('two.ts', textsOfMessages(messages))).toHaveLength(1);
});
