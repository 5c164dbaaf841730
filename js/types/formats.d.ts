export * from './formats.cjs'
