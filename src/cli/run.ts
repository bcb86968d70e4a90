/** Runs one command: loads the verb's file, runs it, and reports failures as sentences. */
import { HELP } from '#lib/messages/commandLine.ts';
import { databaseCommandSentence } from '#lib/messages/database.ts';
import { fileFault } from '#lib/messages/fileFaults.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { plainText } from '#lib/server/platform/logging/redact.ts';
import type { CliContext, Verb } from './verb.ts';

const FOLDER = join(import.meta.dirname, 'verbs');

/** Verbs by their names in the previous release; the help lists only the current names. */
const ALIASES: Readonly<Record<string, string>> = { node: 'kdf' };

function verbNames(): string[] {
	return readdirSync(FOLDER)
		.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
		.map((file) => file.slice(0, -'.ts'.length))
		.sort();
}

async function loadVerb(name: string): Promise<Verb> {
	const module = (await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href)) as { verb: Verb };
	return module.verb;
}

/** Each form and its meaning on separate lines: the longest form fills a terminal. */
const usageLines = (verbs: readonly Verb[]): string[] =>
	verbs.flatMap(({ usage }) =>
		usage.flatMap(([form, meaning]) => [`  ${form}`, `      ${meaning}`])
	);

async function help(context: CliContext): Promise<void> {
	const verbs = await Promise.all(verbNames().map(loadVerb));
	context.out(HELP.head);
	context.out('');
	for (const line of usageLines(verbs)) context.out(line);
	context.out('');
	for (const line of HELP.foot) context.out(line);
}

/** Database drivers' messages are not fit for users and may contain the location of the database. */
function sentenceOf(error: unknown): string {
	const kind = isAppError(error) ? null : databaseErrorKind(error);
	if (kind !== null) return databaseCommandSentence(kind);
	return error instanceof Error ? error.message : String(error);
}

/**
 * Runs one command.
 * @param args arguments after the program's name
 * @param terminal environment, input and outputs; lines are passed without line ends
 * @returns the exit code: 0 done, 1 failed, 2 invalid usage
 */
export async function runCommand(args: readonly string[], terminal: CliContext): Promise<number> {
	const context: CliContext = {
		...terminal,
		// Lines contain names of members and tokens, which must not be able to send terminal control
		// sequences.
		out: (line) => terminal.out(plainText(line)),
		err: (line) => terminal.err(plainText(line))
	};
	const [typed, ...rest] = args;
	const name =
		typed === undefined ? undefined : Object.hasOwn(ALIASES, typed) ? ALIASES[typed]! : typed;
	if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
		await help(context);
		return name === undefined ? 2 : 0;
	}
	if (!verbNames().includes(name)) {
		context.err(HELP.unknownVerb(name, verbNames()));
		return 2;
	}
	const verb = await loadVerb(name);
	if (rest.some((word) => word === '--help' || word === '-h')) {
		for (const line of usageLines([verb])) context.out(line);
		return 0;
	}
	try {
		return await verb.run(rest, context);
	} catch (error) {
		context.err(fileFault(error) ?? sentenceOf(error));
		if (!isAppError(error, 'usage')) return 1;
		for (const line of usageLines([verb])) context.err(line);
		return 2;
	}
}
