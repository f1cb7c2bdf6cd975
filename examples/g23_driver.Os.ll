; ModuleID = 'g23_driver.c'
source_filename = "g23_driver.c"
target datalayout = "e-m:o-p:16:16-p1:16:16-p2:32:16-p3:32:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
target triple = "rl78-unknown-unknown-elf"

@events = dso_local local_unnamed_addr global i16 0, align 2, !dbg !0
@heartbeat = dso_local global i8 0, align 1, !dbg !43
@options = dso_local local_unnamed_addr global i32 0, align 2, !dbg !45

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @led_init() local_unnamed_addr #0 !dbg !53 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !56, !tbaa !57
  %1 = and i8 %0, -9, !dbg !56
  store volatile i8 %1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !56, !tbaa !57
  %2 = load volatile i8, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !60, !tbaa !57
  %3 = and i8 %2, -9, !dbg !60
  store volatile i8 %3, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !60, !tbaa !57
  ret void, !dbg !61
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @led_on() local_unnamed_addr #0 !dbg !62 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !63, !tbaa !57
  %1 = or i8 %0, 8, !dbg !63
  store volatile i8 %1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !63, !tbaa !57
  ret void, !dbg !64
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @led_off() local_unnamed_addr #0 !dbg !65 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !66, !tbaa !57
  %1 = and i8 %0, -9, !dbg !66
  store volatile i8 %1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !66, !tbaa !57
  ret void, !dbg !67
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @led_toggle() local_unnamed_addr #0 !dbg !68 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !69, !tbaa !57
  %1 = xor i8 %0, 8, !dbg !69
  store volatile i8 %1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !69, !tbaa !57
  ret void, !dbg !70
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @led_write(i8 noundef zeroext %on) local_unnamed_addr #0 !dbg !71 {
entry:
    #dbg_value(i8 %on, !75, !DIExpression(), !76)
  %bf.load = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !77
  %bf.value = shl i8 %on, 3, !dbg !77
  %bf.shl = and i8 %bf.value, 8, !dbg !77
  %bf.clear = and i8 %bf.load, -9, !dbg !77
  %bf.set = or disjoint i8 %bf.clear, %bf.shl, !dbg !77
  store volatile i8 %bf.set, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !77
  ret void, !dbg !78
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @led_pair_on() local_unnamed_addr #0 !dbg !79 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !80, !tbaa !57
  %1 = or i8 %0, 24, !dbg !80
  store volatile i8 %1, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !80, !tbaa !57
  %2 = load volatile i8, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !81, !tbaa !57
  %3 = and i8 %2, -25, !dbg !81
  store volatile i8 %3, ptr inttoptr (i16 -219 to ptr), align 1, !dbg !81, !tbaa !57
  ret void, !dbg !82
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @button_init() local_unnamed_addr #0 !dbg !83 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -221 to ptr), align 1, !dbg !84, !tbaa !57
  %1 = or i8 %0, 1, !dbg !84
  store volatile i8 %1, ptr inttoptr (i16 -221 to ptr), align 1, !dbg !84, !tbaa !57
  %2 = load volatile i8, ptr inttoptr (i16 51 to ptr), align 1, !dbg !85, !tbaa !57
  %3 = or i8 %2, 1, !dbg !85
  store volatile i8 %3, ptr inttoptr (i16 51 to ptr), align 1, !dbg !85, !tbaa !57
  ret void, !dbg !86
}

; Function Attrs: mustprogress nofree norecurse nounwind optsize willreturn
define dso_local zeroext range(i8 0, 2) i8 @button_pressed() local_unnamed_addr #1 !dbg !87 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -253 to ptr), align 1, !dbg !90, !tbaa !57
  %1 = and i8 %0, 1, !dbg !92
  %tobool.not = icmp eq i8 %1, 0, !dbg !92
  br i1 %tobool.not, label %if.end, label %return, !dbg !93

if.end:                                           ; preds = %entry
  %2 = load i16, ptr @events, align 2, !dbg !94, !tbaa !95
  %or = or i16 %2, 1, !dbg !94
  store i16 %or, ptr @events, align 2, !dbg !94, !tbaa !95
  br label %return, !dbg !97

return:                                           ; preds = %entry, %if.end
  %retval.0 = phi i8 [ 1, %if.end ], [ 0, %entry ], !dbg !98
  ret i8 %retval.0, !dbg !99
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @port_pin_as_output(i16 noundef zeroext %port) local_unnamed_addr #0 !dbg !100 {
entry:
    #dbg_value(i16 %port, !104, !DIExpression(), !105)
  %add = add i16 %port, 32, !dbg !106
  %0 = inttoptr i16 %add to ptr, !dbg !106
  %1 = load volatile i8, ptr %0, align 1, !dbg !107, !tbaa !57
  %2 = and i8 %1, -3, !dbg !107
  store volatile i8 %2, ptr %0, align 1, !dbg !107, !tbaa !57
  ret void, !dbg !108
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @timer_start() local_unnamed_addr #0 !dbg !109 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 240 to ptr), align 16, !dbg !110, !tbaa !57
  %1 = or i8 %0, 1, !dbg !110
  store volatile i8 %1, ptr inttoptr (i16 240 to ptr), align 16, !dbg !110, !tbaa !57
  %bf.load = load volatile i8, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !111
  %bf.clear = and i8 %bf.load, -65, !dbg !111
  store volatile i8 %bf.clear, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !111
  %bf.load2 = load volatile i8, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !112
  %bf.clear3 = and i8 %bf.load2, -65, !dbg !112
  store volatile i8 %bf.clear3, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !112
  %2 = load volatile i8, ptr inttoptr (i16 434 to ptr), align 2, !dbg !113, !tbaa !57
  %3 = or i8 %2, 1, !dbg !113
  store volatile i8 %3, ptr inttoptr (i16 434 to ptr), align 2, !dbg !113, !tbaa !57
  ret void, !dbg !114
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @timer_stop() local_unnamed_addr #0 !dbg !115 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 436 to ptr), align 4, !dbg !116, !tbaa !57
  %1 = or i8 %0, 1, !dbg !116
  store volatile i8 %1, ptr inttoptr (i16 436 to ptr), align 4, !dbg !116, !tbaa !57
  %bf.load = load volatile i8, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !117
  %bf.set = or i8 %bf.load, 64, !dbg !117
  store volatile i8 %bf.set, ptr inttoptr (i16 -27 to ptr), align 1, !dbg !117
  %bf.load2 = load volatile i8, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !118
  %bf.clear3 = and i8 %bf.load2, -65, !dbg !118
  store volatile i8 %bf.clear3, ptr inttoptr (i16 -31 to ptr), align 1, !dbg !118
  %2 = load volatile i8, ptr inttoptr (i16 240 to ptr), align 16, !dbg !119, !tbaa !57
  %3 = and i8 %2, -2, !dbg !119
  store volatile i8 %3, ptr inttoptr (i16 240 to ptr), align 16, !dbg !119, !tbaa !57
  ret void, !dbg !120
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @timer_output_enable() local_unnamed_addr #0 !dbg !121 {
entry:
  %0 = load volatile i16, ptr inttoptr (i16 442 to ptr), align 2, !dbg !122, !tbaa !95
  %or = or i16 %0, 1, !dbg !122
  store volatile i16 %or, ptr inttoptr (i16 442 to ptr), align 2, !dbg !122, !tbaa !95
  ret void, !dbg !123
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @timer_output_high() local_unnamed_addr #0 !dbg !124 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 440 to ptr), align 8, !dbg !125, !tbaa !57
  %1 = or i8 %0, 1, !dbg !125
  store volatile i8 %1, ptr inttoptr (i16 440 to ptr), align 8, !dbg !125, !tbaa !57
  ret void, !dbg !126
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @timer_mode_interval() local_unnamed_addr #0 !dbg !127 {
entry:
  %0 = load volatile i16, ptr inttoptr (i16 400 to ptr), align 16, !dbg !128, !tbaa !95
  %and = and i16 %0, -16, !dbg !128
  store volatile i16 %and, ptr inttoptr (i16 400 to ptr), align 16, !dbg !128, !tbaa !95
  %1 = load volatile i16, ptr inttoptr (i16 400 to ptr), align 16, !dbg !129, !tbaa !95
  %or = or i16 %1, 1, !dbg !129
  store volatile i16 %or, ptr inttoptr (i16 400 to ptr), align 16, !dbg !129, !tbaa !95
  ret void, !dbg !130
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @timer_interrupt() local_unnamed_addr #0 !dbg !131 {
entry:
  %0 = load i16, ptr @events, align 2, !dbg !132, !tbaa !95
  %or = or i16 %0, 256, !dbg !132
  store i16 %or, ptr @events, align 2, !dbg !132, !tbaa !95
  %1 = load volatile i8, ptr @heartbeat, align 1, !dbg !133, !tbaa !57
  %2 = xor i8 %1, 1, !dbg !133
  store volatile i8 %2, ptr @heartbeat, align 1, !dbg !133, !tbaa !57
  %3 = load volatile i8, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !134, !tbaa !57
  %4 = xor i8 %3, 8, !dbg !134
  store volatile i8 %4, ptr inttoptr (i16 -251 to ptr), align 1, !dbg !134, !tbaa !57
  ret void, !dbg !135
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind optsize willreturn memory(readwrite, argmem: none, inaccessiblemem: none)
define dso_local zeroext i16 @events_take_tick() local_unnamed_addr #2 !dbg !136 {
entry:
  %0 = load i16, ptr @events, align 2, !dbg !141, !tbaa !95
    #dbg_value(i16 %0, !140, !DIExpression(), !142)
  %and = and i16 %0, -257, !dbg !143
  store i16 %and, ptr @events, align 2, !dbg !144, !tbaa !95
  ret i16 %0, !dbg !145
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @external_interrupt_enable() local_unnamed_addr #0 !dbg !146 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -32 to ptr), align 32, !dbg !147, !tbaa !57
  %1 = and i8 %0, -5, !dbg !147
  store volatile i8 %1, ptr inttoptr (i16 -32 to ptr), align 32, !dbg !147, !tbaa !57
  %2 = load volatile i8, ptr inttoptr (i16 -28 to ptr), align 4, !dbg !148, !tbaa !57
  %3 = and i8 %2, -5, !dbg !148
  store volatile i8 %3, ptr inttoptr (i16 -28 to ptr), align 4, !dbg !148, !tbaa !57
  ret void, !dbg !149
}

; Function Attrs: nofree norecurse nounwind optsize memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local void @serial_start(ptr noundef %unit) local_unnamed_addr #3 !dbg !150 {
entry:
    #dbg_value(ptr %unit, !154, !DIExpression(), !155)
  %start = getelementptr inbounds i8, ptr %unit, i16 34, !dbg !156
  %0 = load volatile i8, ptr %start, align 2, !dbg !157, !tbaa !158
  %1 = or i8 %0, 1, !dbg !157
  store volatile i8 %1, ptr %start, align 2, !dbg !157, !tbaa !158
  ret void, !dbg !160
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @serial_stop() local_unnamed_addr #0 !dbg !161 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 292 to ptr), align 4, !dbg !162, !tbaa !163
  %1 = or i8 %0, 1, !dbg !162
  store volatile i8 %1, ptr inttoptr (i16 292 to ptr), align 4, !dbg !162, !tbaa !163
  ret void, !dbg !164
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @serial_mark_parity() local_unnamed_addr #0 !dbg !165 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -240 to ptr), align 16, !dbg !166, !tbaa !57
  %1 = or i8 %0, -128, !dbg !166
  store volatile i8 %1, ptr inttoptr (i16 -240 to ptr), align 16, !dbg !166, !tbaa !57
  ret void, !dbg !167
}

; Function Attrs: nofree norecurse nounwind optsize
define dso_local void @watchdog_touch() local_unnamed_addr #0 !dbg !168 {
entry:
  %0 = load volatile i8, ptr inttoptr (i16 -85 to ptr), align 1, !dbg !169, !tbaa !57
  %1 = or i8 %0, 4, !dbg !169
  store volatile i8 %1, ptr inttoptr (i16 -85 to ptr), align 1, !dbg !169, !tbaa !57
  ret void, !dbg !170
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind optsize willreturn memory(readwrite, argmem: none, inaccessiblemem: none)
define dso_local void @options_lock() local_unnamed_addr #2 !dbg !171 {
entry:
  %0 = load i32, ptr @options, align 2, !dbg !172, !tbaa !173
  %or = or i32 %0, 4194304, !dbg !172
  store i32 %or, ptr @options, align 2, !dbg !172, !tbaa !173
  ret void, !dbg !175
}

attributes #0 = { nofree norecurse nounwind optsize "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { mustprogress nofree norecurse nounwind optsize willreturn "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind optsize willreturn memory(readwrite, argmem: none, inaccessiblemem: none) "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { nofree norecurse nounwind optsize memory(argmem: readwrite, inaccessiblemem: readwrite) "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!49, !50, !51, !52}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "events", scope: !2, file: !3, line: 53, type: !24, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !42, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "g23_driver.c", directory: ".")
!4 = !{!5, !8, !10, !22, !24, !26}
!5 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint8_t", file: !6, line: 270, baseType: !7)
!6 = !DIFile(filename: "./stdint.h", directory: "")
!7 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 16)
!9 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !5)
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 16)
!11 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !12)
!12 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "bits", file: !3, line: 33, size: 8, elements: !13)
!13 = !{!14, !15, !16, !17, !18, !19, !20, !21}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "no0", scope: !12, file: !3, line: 34, baseType: !5, size: 1, flags: DIFlagBitField, extraData: i64 0)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "no1", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 1, flags: DIFlagBitField, extraData: i64 0)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "no2", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 2, flags: DIFlagBitField, extraData: i64 0)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "no3", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 3, flags: DIFlagBitField, extraData: i64 0)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "no4", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 4, flags: DIFlagBitField, extraData: i64 0)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "no5", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 5, flags: DIFlagBitField, extraData: i64 0)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "no6", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 6, flags: DIFlagBitField, extraData: i64 0)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "no7", scope: !12, file: !3, line: 34, baseType: !5, size: 1, offset: 7, flags: DIFlagBitField, extraData: i64 0)
!22 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !23, size: 16)
!23 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !24)
!24 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint16_t", file: !6, line: 247, baseType: !25)
!25 = !DIBasicType(name: "unsigned short", size: 16, encoding: DW_ATE_unsigned)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !27, size: 16)
!27 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "serial_unit", file: !3, line: 182, size: 304, elements: !28)
!28 = !{!29, !33, !34, !35, !36, !37, !38, !39, !40, !41}
!29 = !DIDerivedType(tag: DW_TAG_member, name: "status", scope: !27, file: !3, line: 183, baseType: !30, size: 64)
!30 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 64, elements: !31)
!31 = !{!32}
!32 = !DISubrange(count: 4)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "clear", scope: !27, file: !3, line: 183, baseType: !30, size: 64, offset: 64)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "mode", scope: !27, file: !3, line: 183, baseType: !30, size: 64, offset: 128)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "format", scope: !27, file: !3, line: 183, baseType: !30, size: 64, offset: 192)
!36 = !DIDerivedType(tag: DW_TAG_member, name: "enabled", scope: !27, file: !3, line: 184, baseType: !9, size: 8, offset: 256)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "enabled_high", scope: !27, file: !3, line: 184, baseType: !9, size: 8, offset: 264)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "start", scope: !27, file: !3, line: 185, baseType: !9, size: 8, offset: 272)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "start_high", scope: !27, file: !3, line: 185, baseType: !9, size: 8, offset: 280)
!40 = !DIDerivedType(tag: DW_TAG_member, name: "stop", scope: !27, file: !3, line: 186, baseType: !9, size: 8, offset: 288)
!41 = !DIDerivedType(tag: DW_TAG_member, name: "stop_high", scope: !27, file: !3, line: 186, baseType: !9, size: 8, offset: 296)
!42 = !{!0, !43, !45}
!43 = !DIGlobalVariableExpression(var: !44, expr: !DIExpression())
!44 = distinct !DIGlobalVariable(name: "heartbeat", scope: !2, file: !3, line: 54, type: !9, isLocal: false, isDefinition: true)
!45 = !DIGlobalVariableExpression(var: !46, expr: !DIExpression())
!46 = distinct !DIGlobalVariable(name: "options", scope: !2, file: !3, line: 55, type: !47, isLocal: false, isDefinition: true)
!47 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint32_t", file: !6, line: 202, baseType: !48)
!48 = !DIBasicType(name: "unsigned long", size: 32, encoding: DW_ATE_unsigned)
!49 = !{i32 7, !"Dwarf Version", i32 5}
!50 = !{i32 2, !"Debug Info Version", i32 3}
!51 = !{i32 1, !"wchar_size", i32 2}
!52 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!53 = distinct !DISubprogram(name: "led_init", scope: !3, file: !3, line: 60, type: !54, scopeLine: 61, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!54 = !DISubroutineType(types: !55)
!55 = !{null}
!56 = !DILocation(line: 62, column: 8, scope: !53)
!57 = !{!58, !58, i64 0}
!58 = !{!"omnipotent char", !59, i64 0}
!59 = !{!"Simple C/C++ TBAA"}
!60 = !DILocation(line: 63, column: 9, scope: !53)
!61 = !DILocation(line: 64, column: 1, scope: !53)
!62 = distinct !DISubprogram(name: "led_on", scope: !3, file: !3, line: 66, type: !54, scopeLine: 67, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!63 = !DILocation(line: 68, column: 8, scope: !62)
!64 = !DILocation(line: 69, column: 1, scope: !62)
!65 = distinct !DISubprogram(name: "led_off", scope: !3, file: !3, line: 71, type: !54, scopeLine: 72, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!66 = !DILocation(line: 73, column: 8, scope: !65)
!67 = !DILocation(line: 74, column: 1, scope: !65)
!68 = distinct !DISubprogram(name: "led_toggle", scope: !3, file: !3, line: 77, type: !54, scopeLine: 78, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!69 = !DILocation(line: 79, column: 8, scope: !68)
!70 = !DILocation(line: 80, column: 1, scope: !68)
!71 = distinct !DISubprogram(name: "led_write", scope: !3, file: !3, line: 83, type: !72, scopeLine: 84, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !74)
!72 = !DISubroutineType(types: !73)
!73 = !{null, !5}
!74 = !{!75}
!75 = !DILocalVariable(name: "on", arg: 1, scope: !71, file: !3, line: 83, type: !5)
!76 = !DILocation(line: 0, scope: !71)
!77 = !DILocation(line: 85, column: 13, scope: !71)
!78 = !DILocation(line: 86, column: 1, scope: !71)
!79 = distinct !DISubprogram(name: "led_pair_on", scope: !3, file: !3, line: 89, type: !54, scopeLine: 90, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!80 = !DILocation(line: 91, column: 8, scope: !79)
!81 = !DILocation(line: 92, column: 9, scope: !79)
!82 = !DILocation(line: 93, column: 1, scope: !79)
!83 = distinct !DISubprogram(name: "button_init", scope: !3, file: !3, line: 96, type: !54, scopeLine: 97, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!84 = !DILocation(line: 98, column: 9, scope: !83)
!85 = !DILocation(line: 99, column: 9, scope: !83)
!86 = !DILocation(line: 100, column: 1, scope: !83)
!87 = distinct !DISubprogram(name: "button_pressed", scope: !3, file: !3, line: 102, type: !88, scopeLine: 103, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!88 = !DISubroutineType(types: !89)
!89 = !{!5}
!90 = !DILocation(line: 104, column: 9, scope: !91)
!91 = distinct !DILexicalBlock(scope: !87, file: !3, line: 104, column: 9)
!92 = !DILocation(line: 104, column: 12, scope: !91)
!93 = !DILocation(line: 104, column: 9, scope: !87)
!94 = !DILocation(line: 106, column: 12, scope: !87)
!95 = !{!96, !96, i64 0}
!96 = !{!"short", !58, i64 0}
!97 = !DILocation(line: 107, column: 5, scope: !87)
!98 = !DILocation(line: 0, scope: !87)
!99 = !DILocation(line: 108, column: 1, scope: !87)
!100 = distinct !DISubprogram(name: "port_pin_as_output", scope: !3, file: !3, line: 114, type: !101, scopeLine: 115, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !103)
!101 = !DISubroutineType(types: !102)
!102 = !{null, !24}
!103 = !{!104}
!104 = !DILocalVariable(name: "port", arg: 1, scope: !100, file: !3, line: 114, type: !24)
!105 = !DILocation(line: 0, scope: !100)
!106 = !DILocation(line: 116, column: 5, scope: !100)
!107 = !DILocation(line: 116, column: 28, scope: !100)
!108 = !DILocation(line: 117, column: 1, scope: !100)
!109 = distinct !DISubprogram(name: "timer_start", scope: !3, file: !3, line: 121, type: !54, scopeLine: 122, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!110 = !DILocation(line: 123, column: 10, scope: !109)
!111 = !DILocation(line: 124, column: 12, scope: !109)
!112 = !DILocation(line: 125, column: 12, scope: !109)
!113 = !DILocation(line: 126, column: 10, scope: !109)
!114 = !DILocation(line: 127, column: 1, scope: !109)
!115 = distinct !DISubprogram(name: "timer_stop", scope: !3, file: !3, line: 129, type: !54, scopeLine: 130, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!116 = !DILocation(line: 131, column: 10, scope: !115)
!117 = !DILocation(line: 132, column: 12, scope: !115)
!118 = !DILocation(line: 133, column: 12, scope: !115)
!119 = !DILocation(line: 134, column: 10, scope: !115)
!120 = !DILocation(line: 135, column: 1, scope: !115)
!121 = distinct !DISubprogram(name: "timer_output_enable", scope: !3, file: !3, line: 138, type: !54, scopeLine: 139, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!122 = !DILocation(line: 140, column: 10, scope: !121)
!123 = !DILocation(line: 141, column: 1, scope: !121)
!124 = distinct !DISubprogram(name: "timer_output_high", scope: !3, file: !3, line: 144, type: !54, scopeLine: 145, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!125 = !DILocation(line: 146, column: 10, scope: !124)
!126 = !DILocation(line: 147, column: 1, scope: !124)
!127 = distinct !DISubprogram(name: "timer_mode_interval", scope: !3, file: !3, line: 150, type: !54, scopeLine: 151, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!128 = !DILocation(line: 152, column: 11, scope: !127)
!129 = !DILocation(line: 153, column: 11, scope: !127)
!130 = !DILocation(line: 154, column: 1, scope: !127)
!131 = distinct !DISubprogram(name: "timer_interrupt", scope: !3, file: !3, line: 158, type: !54, scopeLine: 159, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!132 = !DILocation(line: 160, column: 12, scope: !131)
!133 = !DILocation(line: 161, column: 15, scope: !131)
!134 = !DILocation(line: 162, column: 8, scope: !131)
!135 = !DILocation(line: 163, column: 1, scope: !131)
!136 = distinct !DISubprogram(name: "events_take_tick", scope: !3, file: !3, line: 166, type: !137, scopeLine: 167, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !139)
!137 = !DISubroutineType(types: !138)
!138 = !{!24}
!139 = !{!140}
!140 = !DILocalVariable(name: "seen", scope: !136, file: !3, line: 168, type: !24)
!141 = !DILocation(line: 168, column: 21, scope: !136)
!142 = !DILocation(line: 0, scope: !136)
!143 = !DILocation(line: 169, column: 19, scope: !136)
!144 = !DILocation(line: 169, column: 12, scope: !136)
!145 = !DILocation(line: 170, column: 5, scope: !136)
!146 = distinct !DISubprogram(name: "external_interrupt_enable", scope: !3, file: !3, line: 175, type: !54, scopeLine: 176, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!147 = !DILocation(line: 177, column: 10, scope: !146)
!148 = !DILocation(line: 178, column: 10, scope: !146)
!149 = !DILocation(line: 179, column: 1, scope: !146)
!150 = distinct !DISubprogram(name: "serial_start", scope: !3, file: !3, line: 190, type: !151, scopeLine: 191, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !153)
!151 = !DISubroutineType(types: !152)
!152 = !{null, !26}
!153 = !{!154}
!154 = !DILocalVariable(name: "unit", arg: 1, scope: !150, file: !3, line: 190, type: !26)
!155 = !DILocation(line: 0, scope: !150)
!156 = !DILocation(line: 192, column: 11, scope: !150)
!157 = !DILocation(line: 192, column: 17, scope: !150)
!158 = !{!159, !58, i64 34}
!159 = !{!"serial_unit", !58, i64 0, !58, i64 8, !58, i64 16, !58, i64 24, !58, i64 32, !58, i64 33, !58, i64 34, !58, i64 35, !58, i64 36, !58, i64 37}
!160 = !DILocation(line: 193, column: 1, scope: !150)
!161 = distinct !DISubprogram(name: "serial_stop", scope: !3, file: !3, line: 195, type: !54, scopeLine: 196, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!162 = !DILocation(line: 197, column: 16, scope: !161)
!163 = !{!159, !58, i64 36}
!164 = !DILocation(line: 198, column: 1, scope: !161)
!165 = distinct !DISubprogram(name: "serial_mark_parity", scope: !3, file: !3, line: 201, type: !54, scopeLine: 202, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!166 = !DILocation(line: 203, column: 10, scope: !165)
!167 = !DILocation(line: 204, column: 1, scope: !165)
!168 = distinct !DISubprogram(name: "watchdog_touch", scope: !3, file: !3, line: 208, type: !54, scopeLine: 209, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!169 = !DILocation(line: 210, column: 10, scope: !168)
!170 = !DILocation(line: 211, column: 1, scope: !168)
!171 = distinct !DISubprogram(name: "options_lock", scope: !3, file: !3, line: 214, type: !54, scopeLine: 215, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!172 = !DILocation(line: 216, column: 13, scope: !171)
!173 = !{!174, !174, i64 0}
!174 = !{!"long", !58, i64 0}
!175 = !DILocation(line: 217, column: 1, scope: !171)
