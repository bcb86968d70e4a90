import type { ErrorArea } from './define.ts';

/** What is wrong with one field of the console's forms. */
export const consoleForm = {
	'console.not-json': {
		status: 400,
		message: () => 'This is not JSON. Names and texts need double quotes.'
	},
	'console.nested-too-deeply': { status: 400, message: () => 'This is nested too deeply.' },
	'console.not-a-whole-number': { status: 400, message: () => 'Enter a whole number.' },
	'console.not-a-boolean': { status: 400, message: () => 'Choose true or false.' },
	'console.not-a-choice': { status: 400, message: () => 'Choose one of the options.' },
	/** `problem`: what the schema of the parameter says, as a sentence. */
	'console.parameter-invalid': {
		status: 400,
		message: ({ problem }: { problem: string }) => problem
	}
} satisfies ErrorArea<'console'>;
