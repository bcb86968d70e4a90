/** A whole answer, which can be given more than once. */
export interface Answer {
	status: number;
	headers: readonly (readonly [name: string, value: string])[];
	body: Uint8Array<ArrayBuffer>;
}
