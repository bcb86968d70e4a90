/** A complete response that can be sent more than once. */
export interface Answer {
	status: number;
	headers: readonly (readonly [name: string, value: string])[];
	body: Uint8Array<ArrayBuffer>;
}
