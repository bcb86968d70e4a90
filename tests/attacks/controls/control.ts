/**
 * The controls that protect this program, as data. Production code has no switch: the test build
 * (`../testBuild.ts`) works on a copy of the sources in which each control calls `stands`, and the tests turn
 * one off at a time. An attack that a control stops must succeed without it; otherwise the attack's test could
 * not fail.
 */

/** An edit of one file. */
export interface Edit {
	/** Path from the root of the project. */
	readonly file: string;
	/**
	 * Must occur in the file exactly once; otherwise the test build fails, because this list is out of date.
	 */
	readonly text: string;
	/**
	 * The same text with a call of `stands('name of the control')` that decides whether the control applies.
	 */
	readonly replacement: string;
}

interface About {
	readonly name: string;
	/** The consequence of a missing control, as a sentence. */
	readonly stops: string;
	/** The attacks that succeed without it. */
	readonly attacks: readonly string[];
	/** An earlier control that is turned off as well, because no attack would get past it. */
	readonly behind?: string;
}

/** A control with one edit, or with several. */
export type Control = About & (Edit | { readonly edits: readonly Edit[] });

export const editsOf = (control: Control): readonly Edit[] =>
	'edits' in control ? control.edits : [control];
