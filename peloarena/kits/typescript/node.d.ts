// The little of Node that main.ts uses, so that nothing has to be installed. When you need more of it:
// `npm install @types/node`, delete this file, and put "node" into `types` of tsconfig.json.

declare const console: { error(...words: unknown[]): void };
declare const process: { stdin: object; stdout: { write(text: string): void }; exit(code: number): never };

declare module "readline" {
  export function createInterface(options: { input: object }): { on(event: "line", heard: (line: string) => void): void };
}
