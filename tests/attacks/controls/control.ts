/**
 * What stands between an attacker and what this program keeps, as data. Production code has no switch: the
 * test build (`../testBuild.ts`) works on a copy of the sources in which each control asks `stands`, and the
 * tests take one away at a time. An attack that its control stops must succeed without it; a test that
 * could not fail is found that way.
 */

/** One change of one file. */
export interface Edit {
	/** From the root of the project. */
	readonly file: string;
	/** Stands in the file exactly once; else the test build fails, and this list is out of date. */
	readonly text: string;
	/** The same with `stands('name of the control')` where the control is asked. */
	readonly replacement: string;
}

interface About {
	readonly name: string;
	/** What comes through when it is gone, as a sentence. */
	readonly stops: string;
	/** The attacks that get through without it. */
	readonly attacks: readonly string[];
	/** The control before it, which is down while this one is tried: else nothing would reach it. */
	readonly behind?: string;
}

/** One control: the one change that it is, or several. */
export type Control = About & (Edit | { readonly edits: readonly Edit[] });

export const editsOf = (control: Control): readonly Edit[] =>
	'edits' in control ? control.edits : [control];
